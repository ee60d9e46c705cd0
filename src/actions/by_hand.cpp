#include "actions/by_hand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "actions/field_typing.h"
#include "actions/plan/keyboard.h"
#include "actions/plan/pointer.h"
#include "model/labels.h"

namespace handrail::actions {
namespace {

// Until what was clicked has opened, or shows its new state.
constexpr Millis kOpening{3000};
// Until what has closed tells what was chosen in it.
constexpr Millis kReadBack{500};

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

InputPlan click_at(Point at) { return plan::click(at, Button::left, 1, {}); }

bool is_switch(const Element& element) {
  return one_of(element.role, {"check box", "radio button", "toggle button", "switch"});
}

bool is_option(const Element& element) {
  return one_of(element.role, {"list item", "menu item", "menu", "check menu item", "radio menu item", "table cell"});
}

// The options that show inside of what was opened.
Result<std::vector<SeenElement>> options_in(ActionContext& context, const SeenElement& holder) {
  ElementsRequest request;
  request.target = TRY(context.aim("", {}));
  request.interactive = false;
  request.everywhere = true;
  request.most = 5000;
  const ElementsSeen seen = TRY(context.elements(request));
  std::vector<bool> inside(seen.elements.size(), false);
  std::vector<SeenElement> options;
  for (std::size_t i = 0; i < seen.elements.size(); ++i) {
    const Element& element = seen.elements[i].element;
    const auto parent = static_cast<std::size_t>(element.parent);
    if (element.parent < 0 || parent >= i) continue;
    inside[i] = inside[parent] || seen.elements[parent].element.id == holder.element.id;
    const bool shows = element.states.has(ElementState::showing) && !element.bounds.empty();
    if (inside[i] && shows && is_option(element)) options.push_back(seen.elements[i]);
  }
  return options;
}

Result<SeenElement> await_option(ActionContext& context, const SeenElement& holder, const std::string& label) {
  const Target target = TRY(context.aim("", {}));
  const Deadline deadline = Deadline::in(kOpening);
  std::vector<std::string> names;
  while (true) {
    TRY(context.begin_watch(target));
    names.clear();
    for (const SeenElement& option : TRY(options_in(context, holder))) {
      if (plain_label(option.element.name) == plain_label(label)) return option;
      names.push_back(option.element.name);
    }
    if (deadline.passed()) break;
    TRY(context.await_change(target, deadline));
  }
  return make_error(Code::not_found, fmt::format("There is no option `{}`.", label))
      .with_field("value", names.empty() ? "an option that shows" : fmt::format("one of: {}", fmt::join(names, ", ")));
}

// Toolkits tell the option as the value, as the name, or as that of the button in it.
bool reads_as(const ElementsSeen& seen, const SeenElement& holder, const std::string& label) {
  const auto called = [&](const std::string& text) { return plain_label(text) == plain_label(label); };
  std::vector<bool> inside(seen.elements.size(), false);
  for (std::size_t i = 0; i < seen.elements.size(); ++i) {
    const Element& element = seen.elements[i].element;
    const bool own = element.id == holder.element.id;
    const auto parent = static_cast<std::size_t>(element.parent);
    inside[i] = own || (element.parent >= 0 && parent < i && inside[parent]);
    const bool tells = own || (inside[i] && one_of(element.role, {"push button", "toggle button"}));
    if (tells && (called(element.value) || called(element.name))) return true;
  }
  return false;
}

// By a new name it is another element for those who look it up, so all of them are looked at.
Result<bool> await_reading(ActionContext& context, const SeenElement& holder, const std::string& label) {
  ElementsRequest request;
  request.target = TRY(context.aim("", {}));
  request.interactive = false;
  request.values = true;
  request.most = 5000;
  const Deadline deadline = Deadline::in(kReadBack);
  while (true) {
    TRY(context.begin_watch(request.target));
    if (reads_as(TRY(context.elements(request)), holder, label)) return true;
    if (deadline.passed()) return false;
    TRY(context.await_change(request.target, deadline));
  }
}

Outcome read_back(const Outcome& done) {
  Outcome outcome = acted(done.route, done.delivery, {Evidence::value_readback});
  outcome.text = "Done by hand, and read back.";
  return outcome;
}

Result<bool> await_closed(ActionContext& context, const SeenElement& holder) {
  const Target target = TRY(context.aim("", {}));
  const Deadline deadline = Deadline::in(kReadBack);
  while (true) {
    TRY(context.begin_watch(target));
    if (TRY(options_in(context, holder)).empty()) return true;
    if (deadline.passed()) return false;
    TRY(context.await_change(target, deadline));
  }
}

// Keys do not reach everything that opens; a click at what opened it does.
Status close_again(ActionContext& context, const SeenElement& holder, int levels) {
  const Chord escape = TRY(parse_chord("Escape"));
  const auto pressed = context.perform(plan::press_chord(escape, levels));
  if (pressed.ok() && TRY(await_closed(context, holder))) return {};
  TRY(context.perform(click_at(holder.element.bounds.centre())));
  TRY(await_closed(context, holder));
  return {};
}

// Clicks at it, and at one label after the other in what opens.
Result<Outcome> choose(ActionContext& context, const SeenElement& holder, const std::vector<std::string>& path) {
  const Point centre = TRY(centre_of(holder));
  Outcome outcome = TRY(context.perform(click_at(centre)));
  for (std::size_t i = 0; i < path.size() && !outcome.dry_run; ++i) {
    TRY(context.settle());
    const Result<SeenElement> option = await_option(context, holder, path[i]);
    if (!option.ok()) {
      // Whatever there is to say about that.
      [[maybe_unused]] const auto closed = close_again(context, holder, static_cast<int>(i + 1));
      return option.error();
    }
    outcome = TRY(context.perform(click_at(option->element.bounds.centre())));
  }
  if (outcome.dry_run) return outcome;
  // What was open closes before the window goes back.
  TRY(context.settle());
  const bool reads = holder.element.role == "combo box" && TRY(await_reading(context, holder, path.back()));
  if (reads) return read_back(outcome);
  outcome.text = "Clicked by hand. Capture to see what became of it.";
  return outcome;
}

// Reads it again until it is as it should be.
Result<Outcome> confirm(ActionContext& context, Outcome outcome, int number,
                        const std::function<bool(const Element&)>& done) {
  if (outcome.dry_run) return outcome;
  const Target target = TRY(context.aim("", {}));
  const Deadline deadline = Deadline::in(kOpening);
  while (true) {
    TRY(context.begin_watch(target));
    const Result<SeenElement> now = context.element(number);
    // It may have gone with what it did.
    if (!now.ok()) break;
    if (done(now->element)) return read_back(outcome);
    if (deadline.passed()) break;
    TRY(context.await_change(target, deadline));
  }
  outcome.effect = Effect::unverified;
  outcome.text = "Done by hand, but it does not say so. Capture to see what became of it.";
  return outcome;
}

Result<bool> read_word(const std::string& value, std::string_view on, std::string_view off) {
  const std::string word = plain_label(value);
  const bool yes = word == on || one_of(word, {"on", "true"});
  if (yes || word == off || one_of(word, {"off", "false"})) return yes;
  return make_error(Code::argument_invalid, fmt::format("It takes `{}` or `{}`.", on, off))
      .with_field("value", fmt::format("{} or {}", on, off));
}

Outcome so_already() {
  Outcome outcome = acted(Route::accessibility, Delivery::background, {Evidence::value_readback});
  outcome.text = "It was so already.";
  return outcome;
}

Result<Outcome> set_switch(ActionContext& context, const SeenElement& seen, const std::string& value,
                           Delivery delivery) {
  const bool on = TRY(read_word(value, "on", "off"));
  const auto is_on = [](const Element& element) {
    return element.states.has(ElementState::checked) || element.states.has(ElementState::pressed);
  };
  if (is_on(seen.element) == on) return so_already();
  const Point centre = TRY(centre_of(seen));
  Outcome outcome = TRY(context.perform_by_hand(delivery, seen.element.window, click_at(centre)));
  return confirm(context, std::move(outcome), seen.number, [&](const Element& now) { return is_on(now) == on; });
}

// Trees open a branch that is selected with the arrow to the right, and close it with the other one.
Result<Outcome> set_expanded(ActionContext& context, const SeenElement& seen, const std::string& value,
                             Delivery delivery) {
  const bool open = TRY(read_word(value, "expanded", "collapsed"));
  const auto is_open = [](const Element& element) { return element.states.has(ElementState::expanded); };
  if (is_open(seen.element) == open) return so_already();
  const Point centre = TRY(centre_of(seen));
  const InputPlan arrow = plan::press_chord(TRY(parse_chord(open ? "Right" : "Left")), 1);
  InputPlan both = click_at(centre);
  both.steps.insert(both.steps.end(), arrow.steps.begin(), arrow.steps.end());
  Outcome outcome = TRY(context.perform_by_hand(delivery, seen.element.window, both));
  return confirm(context, std::move(outcome), seen.number, [&](const Element& now) { return is_open(now) == open; });
}

}  // namespace

Result<Point> centre_of(const SeenElement& seen) {
  if (!seen.element.bounds.empty()) return seen.element.bounds.centre();
  return make_error(Code::target_stale, fmt::format("Element {} shows nowhere now.", seen.number))
      .with_hint("Scroll to it or open what holds it, then capture again.");
}

bool opens(const Element& element) { return one_of(element.role, {"combo box", "menu", "menu item"}); }

bool can_by_hand(const Element& element) {
  return is_switch(element) || opens(element) || element.states.has(ElementState::expandable) ||
         element.states.has(ElementState::editable);
}

Result<Outcome> set_by_hand(ActionContext& context, const SeenElement& seen, const std::string& value,
                            Delivery delivery) {
  const Element& element = seen.element;
  if (is_switch(element)) return set_switch(context, seen, value, delivery);
  if (opens(element)) {
    std::vector<std::string> path = element.role == "combo box" ? std::vector{value} : menu_path(value);
    if (path.size() > 1 && plain_label(path.front()) == plain_label(element.name)) path.erase(path.begin());
    return context.by_hand(delivery, element.window, [&] { return choose(context, seen, path); });
  }
  if (element.states.has(ElementState::expandable)) return set_expanded(context, seen, value, delivery);
  if (element.states.has(ElementState::editable)) return type_over(context, seen, value, delivery);
  return make_error(Code::capability_unsupported, fmt::format("A {} has no value that can be set.", element.role))
      .with_hint("Click at it and use the keys.");
}

}  // namespace handrail::actions

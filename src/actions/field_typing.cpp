#include "actions/field_typing.h"

#include <string_view>

#include "actions/by_hand.h"
#include "actions/context.h"
#include "actions/elements.h"
#include "actions/plan/keyboard.h"
#include "actions/plan/pointer.h"

namespace handrail::actions {
namespace {

// Pages take what happens through several processes before they tell of it.
constexpr Millis kPatience{2000};

// The field when the app's own focus is in it. Its surroundings may have changed with its text, which is no matter.
Result<std::optional<Element>> in_focus(ActionContext& context, const SeenElement& field, const Target& target) {
  std::optional<Element> found;
  const std::optional<SeenElement> focused = TRY(context.focused_element(target));
  if (focused && focused->key.id == field.key.id) found = focused->element;
  return found;
}

// As soon as it has the focus and is as expected, else as it is when the time is up.
template <class Expected>
Result<std::optional<Element>> await_field(ActionContext& context, const SeenElement& field, Expected expected) {
  Target target;
  target.pid = field.key.pid;
  target.window = field.element.window;
  const Deadline deadline = Deadline::in(kPatience);
  TRY(context.begin_watch(target));
  while (true) {
    std::optional<Element> now = TRY(in_focus(context, field, target));
    if ((now && expected(*now)) || deadline.passed()) return now;
    TRY(context.await_change(target, deadline));
  }
}

// All that is there is of the text, and something is missing: a busy browser lets keys go that are new to it.
bool lost_some(std::string_view there, std::string_view text) {
  std::size_t found = 0;
  for (const char c : text) {
    if (found < there.size() && there[found] == c) ++found;
  }
  return found == there.size() && there.size() < text.size();
}

// A click and keys are judged apart: which field the keys go to is known only after the click.
Result<Outcome> click_and_type(ActionContext& context, const SeenElement& field, Point at, const std::string& text) {
  Outcome clicked = TRY(context.perform(plan::click(at, Button::left, 1, {})));
  if (clicked.dry_run) return clicked;
  if (!TRY(await_field(context, field, [](const Element&) { return true; }))) {
    return make_error(Code::capability_unsupported, "The field did not take the focus when it was clicked.")
        .with_hint("Capture again and see what is in the way; nothing was typed.")
        .with_side_effects(SideEffects::possible);
  }
  InputPlan keys = plan::press_chord(TRY(parse_chord("ctrl+a")), 1);
  const InputPlan rest = text.empty() ? plan::press_chord(TRY(parse_chord("BackSpace")), 1) : plan::type(text);
  keys.steps.insert(keys.steps.end(), rest.steps.begin(), rest.steps.end());
  Outcome outcome = TRY(context.perform(keys));
  const auto is_there = [&](const Element& element) { return element.value == text; };
  // It was typed whatever the app says now.
  Result<std::optional<Element>> after = await_field(context, field, is_there);
  if (after.ok() && *after && lost_some((*after)->value, text)) {
    outcome = TRY(context.perform(keys));
    after = await_field(context, field, is_there);
  }
  if (after.ok() && *after && is_there(**after)) {
    outcome = acted(Route::user_seat, Delivery::foreground, {Evidence::value_readback});
    outcome.text = "Typed in, and read back.";
  } else {
    outcome.effect = Effect::unverified;
    outcome.text = "Typed in, but the field reads otherwise. Capture it to see what it made of it.";
  }
  return outcome;
}

}  // namespace

Result<Outcome> type_over(ActionContext& context, const SeenElement& field, const std::string& text) {
  const Point centre = TRY(centre_of(field));
  const bool lines = field.element.states.has(ElementState::multi_line);
  if (text.find_first_of(lines ? "\t" : "\t\r\n") != std::string::npos) {
    return make_error(Code::argument_invalid, "Keys would be typed for it: a tab or a line break leaves the field.")
        .with_field("value", lines ? "text without tabs" : "one line of text without tabs");
  }
  return context.in_front_of(field.element.window, [&] { return click_and_type(context, field, centre, text); });
}

}  // namespace handrail::actions

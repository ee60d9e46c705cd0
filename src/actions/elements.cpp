#include "actions/elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/by_hand.h"
#include "actions/context.h"
#include "actions/field_typing.h"
#include "actions/plan/keyboard.h"
#include "actions/plan/pointer.h"
#include "actions/pressing.h"
#include "actions/scrolling.h"
#include "model/labels.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::string_view kInFront =
    "Repeat it with `delivery` foreground: the window comes to the front, and goes back afterwards.";

Result<Outcome> set_in_background(ActionContext& context, const SeenElement& seen, const std::string& value) {
  const std::string& role = seen.element.role;
  ActOnElement act{seen.key, ElementVerb::set_value, value, {}};
  if (role == "menu" || role == "menu item" || role == "menu bar") {
    act = {seen.key, ElementVerb::menu, {}, menu_path(value)};
  }
  return context.perform_on(seen.key, act);
}

Result<Outcome> run_set_value(ActionContext& context, const SetValue& set) {
  const SeenElement seen = TRY(context.element(set.element));
  const bool front = set.delivery == Delivery::foreground, editable = seen.element.states.has(ElementState::editable);
  if (editable) context.use_field(seen);
  // No app takes it this way, so nobody is asked for it.
  if (is_secret(seen.element)) {
    return front ? type_over(context, seen, set.value, Delivery::foreground) : no_secrets();
  }
  Result<Outcome> done = set_in_background(context, seen, set.value);
  // Some fields say that they have done it, and have not.
  const bool in_vain = done.ok() && done->effect == Effect::suspected_noop && editable;
  if (!in_vain && (done.ok() || done.error().code != Code::capability_unsupported)) return done;
  if (front) return set_by_hand(context, seen, set.value, Delivery::foreground);
  const bool by_hand = can_by_hand(seen.element) && (in_vain || !done.error().retry) && context.has_own_hand();
  if (by_hand) return set_by_hand(context, seen, set.value, Delivery::background);
  if (in_vain) {
    done->text += " Repeat it with `delivery` foreground, which types it in.";
    return done;
  }
  if (!can_by_hand(seen.element)) return done;
  return or_in_front(std::move(done).error(), kInFront);
}

Result<Outcome> run_drag_elements(ActionContext& context, const DragElements& drag) {
  const SeenElement from = TRY(context.element(drag.from));
  const SeenElement to = TRY(context.element(drag.to));
  if (drag.delivery == Delivery::background && !may_click_beside(context, drag.button)) return no_drag();
  const std::vector<Point> points{TRY(centre_of(from)), TRY(centre_of(to))};
  return context.perform_by_hand(drag.delivery, from.element.window, plan::drag(points, drag.button, drag.modifiers));
}

Result<Outcome> run_show(ActionContext& context, const OneElement& one) {
  const SeenElement seen = TRY(context.element(one.element));
  return context.perform(ActOnElement{seen.key, ElementVerb::show, {}, {}});
}

Result<Outcome> run_focus_element(ActionContext& context, const OneElement& one) {
  const SeenElement seen = TRY(context.element(one.element));
  return context.perform(ActOnElement{seen.key, ElementVerb::focus, {}, {}});
}

Result<Outcome> run_named_action(ActionContext& context, const NamedAction& named) {
  const SeenElement seen = TRY(context.element(named.element));
  return context.perform_on(seen.key, ActOnElement{seen.key, ElementVerb::press, named.action, {}});
}

Result<Outcome> run_select_menu(ActionContext& context, const SelectMenu& menu) {
  ElementsRequest request;
  request.target = TRY(context.aim(menu.app, {}));
  request.interactive = false;
  request.most = 5000;
  const ElementsSeen seen = TRY(context.elements(request));
  const auto bar =
      std::ranges::find_if(seen.elements, [](const SeenElement& each) { return each.element.role == "menu bar"; });
  if (bar == seen.elements.end()) {
    return make_error(Code::not_found, "The window shows no menu bar.")
        .with_hint("Capture it; menus that stand elsewhere are chosen in by `set_value`, with the path as the value.");
  }
  return context.perform_on(bar->key, ActOnElement{bar->key, ElementVerb::menu, {}, menu.path});
}

Result<Outcome> run_key_into(ActionContext& context, const KeyInto& press) {
  const Target target = TRY(context.aim(press.app, {}));
  const InputPlan keys = plan::press_chord(TRY(parse_chord(press.keys)), 1);
  if (TRY(context.in_front())) return context.perform(keys);
  const bool in_vain = press.delivery == Delivery::background && !context.has_own_hand();
  if (in_vain) return needs_front("A key for a window without the focus");
  return context.perform_by_hand(press.delivery, target.window, keys);
}

// A wheel turns where the pointer is, so in the foreground it has to go there.
Result<Outcome> run_scroll_element(ActionContext& context, const ScrollElement& scroll) {
  const SeenElement seen = TRY(context.element(scroll.element));
  if (scroll.delivery == Delivery::background) {
    const bool keys = !scroll.modifiers.empty();
    Result<Outcome> done =
        keys ? needs_front("Scrolling with keys held") : scroll_by_bar(context, seen, scroll.direction, scroll.amount);
    if (done.ok() || !may_wheel(context, done.error())) return done;
  }
  const Point centre = TRY(centre_of(seen));
  const Point ticks = wheel_ticks(scroll.direction, scroll.amount);
  return context.perform_by_hand(
      scroll.delivery, seen.element.window,
      plan::scroll(centre, static_cast<int>(ticks.x), static_cast<int>(ticks.y), scroll.modifiers));
}

constexpr std::array kClick{
    Example{"Press a button.", R"({"element": 7})"},
    Example{"Open a context menu.", R"({"element": 7, "button": "right", "delivery": "foreground"})"},
};
constexpr std::array kSet{
    Example{"Fill in a field.", R"({"element": 3, "value": "Grüße"})"},
    Example{"Choose in a list of options.", R"({"element": 4, "value": "Large"})"},
    Example{"Choose in a menu.", R"({"element": 1, "value": "Recent > First"})"},
};
constexpr std::array kScroll{Example{"Read on in a list.", R"({"element": 9, "amount": 5})"}};
constexpr std::array kKeys{Example{"Save.", R"({"keys": "ctrl+s"})"}};
constexpr std::array kDrag{Example{"Drop a file on a folder.", R"({"from": 3, "to": 9})"}};
constexpr std::array kOne{Example{"Element 5.", R"({"element": 5})"}};
constexpr std::array kNamed{Example{"Open a branch.", R"({"element": 5, "action": "expand"})"}};
constexpr std::array kMenu{Example{"Save as.", R"({"path": ["File", "Save As…"]})"}};
constexpr std::array kType{
    Example{"Into a field by its number.", R"({"text": "Grüße", "element": 3})"},
    Example{"Into the field that was used last.", R"({"text": " aus 東京"})"},
};

constexpr std::array kElementActions{
    action<ClickElement, NoResult, click_element>("click_element", Category::ax, Touches::elements, Tier::click,
                                                  Capability::accessibility,
                                                  "Press an element: in the background by accessibility or with a "
                                                  "pointer of the agent's own, in the foreground with "
                                                  "the person's.",
                                                  kClick),
    action<SetValue, NoResult, run_set_value>("set_value", Category::ax, Touches::elements, Tier::full,
                                              Capability::accessibility,
                                              "Set the text, number or option of an element and read it back.", kSet),
    action<DragElements, NoResult, run_drag_elements>("drag_elements", Category::ax, Touches::pointer, Tier::full,
                                                      Capability::accessibility, "Drag one element onto another.",
                                                      kDrag),
    action<NamedAction, NoResult, run_named_action>("perform_action", Category::ax, Touches::elements, Tier::full,
                                                    Capability::accessibility,
                                                    "Do what an element offers under a name.", kNamed),
    action<SelectMenu, NoResult, run_select_menu>("select_menu", Category::ax, Touches::elements, Tier::full,
                                                  Capability::accessibility,
                                                  "Choose a menu item by its labels, without opening the menu where "
                                                  "the app allows it.",
                                                  kMenu),
    action<ScrollElement, NoResult, run_scroll_element>("scroll_element", Category::ax, Touches::pointer, Tier::click,
                                                        Capability::accessibility, "Turn the wheel over an element.",
                                                        kScroll),
    action<KeyInto, NoResult, run_key_into>(
        "key_into", Category::ax, Touches::keyboard, Tier::full, Capability::keyboard,
        "Press keys in an app: in the background with a keyboard of the agent's own.", kKeys),
    action<OneElement, NoResult, run_show>("scroll_to", Category::ax, Touches::elements, Tier::click,
                                           Capability::accessibility, "Scroll an element into view.", kOne),
    action<OneElement, NoResult, run_focus_element>("focus_element", Category::ax, Touches::elements, Tier::full,
                                                    Capability::accessibility,
                                                    "Give an element the keyboard focus; may raise its window.", kOne),
    action<TypeInto, NoResult, type_into>(
        "type_into", Category::ax, Touches::elements, Tier::full, Capability::keyboard,
        "Type at the end of a field, without taking the person's focus: of the one that "
        "is named, or has the app's focus, or was written to last.",
        kType),
    action<OneElement, ElementValue, element_value>("get_value", Category::ax, Touches::nothing, Tier::read,
                                                    Capability::accessibility,
                                                    "Read the value and the state of an element.", kOne),
};

}  // namespace

Result<Outcome> click_element(ActionContext& context, const ClickElement& click) {
  const SeenElement seen = TRY(context.element(click.element));
  const bool plain = click.button == Button::left && click.count == 1 && click.modifiers.empty();
  if (click.delivery == Delivery::background && plain) {
    Result<Outcome> pressed = press(context, seen);
    if (pressed.ok() || pressed.error().code != Code::capability_unsupported) return pressed;
    if (!may_by_hand(context, seen.element, pressed.error())) {
      return or_in_front(std::move(pressed).error(),
                         "Repeat it with `delivery` foreground, which clicks at its centre.");
    }
  } else if (click.delivery == Delivery::background &&
             (opens(seen.element) || !may_click_beside(context, click.button))) {
    return needs_front("Anything but a left click");
  }
  const Point centre = TRY(centre_of(seen));
  if (seen.element.states.has(ElementState::editable)) context.use_field(seen);
  const InputPlan plan = plan::click(centre, click.button, click.count, click.modifiers);
  return context.by_hand(click.delivery, seen.element.window, [&] { return context.perform_on(seen.key, plan); });
}

Result<Outcome> element_value(ActionContext& context, const OneElement& one) {
  const SeenElement seen = TRY(context.element(one.element));
  const Element& element = seen.element;
  ElementValue value{seen.number, element.role, element.name, element.value, state_words(element)};
  Outcome outcome = observed(describe::encode(value));
  outcome.text = fmt::format("Element {} is a {}.", seen.number, element.role);
  outcome.untrusted = fmt::format("'{}' = '{}' {}", element.name, element.value, fmt::join(value.states, " "));
  return outcome;
}

Error needs_front(std::string_view what) {
  return make_error(Code::capability_unsupported, fmt::format("{} cannot be done in the background.", what))
      .with_hint(std::string(kInFront))
      .with_retry(Retry::fix_arguments);
}

Error no_drag() {
  Error refused = needs_front("Dragging");
  refused.hint = "A slider takes its value with `set_value`. " + refused.hint;
  return refused;
}

Status check(const KeyInto& press) { return check(PressKey{press.keys, 1}); }

std::vector<std::string> state_words(const Element& element) {
  std::vector<std::string> words;
  const auto say = [&](ElementState state, const char* word) {
    if (element.states.has(state)) words.emplace_back(word);
  };
  if (!element.states.has(ElementState::enabled)) words.emplace_back("disabled");
  say(ElementState::focused, "focused");
  say(ElementState::checked, "checked");
  say(ElementState::pressed, "pressed");
  say(ElementState::selected, "selected");
  say(ElementState::expanded, "expanded");
  say(ElementState::secret, "secret");
  return words;
}

std::span<const catalog::ActionSpec> element_actions() { return kElementActions; }

}  // namespace handrail::actions

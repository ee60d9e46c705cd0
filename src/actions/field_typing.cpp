#include "actions/field_typing.h"

#include <fmt/format.h>

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

enum class Where { over, after };

// To where it is typed: all of it, or the end of it.
Result<InputPlan> keys_for(const SeenElement& field, const std::string& text, Where where) {
  const bool lines = field.element.states.has(ElementState::multi_line);
  const char* first = where == Where::over ? "ctrl+a" : lines ? "ctrl+End" : "End";
  InputPlan keys = plan::press_chord(TRY(parse_chord(first)), 1);
  const InputPlan rest = text.empty() ? plan::press_chord(TRY(parse_chord("BackSpace")), 1) : plan::type(text);
  keys.steps.insert(keys.steps.end(), rest.steps.begin(), rest.steps.end());
  return keys;
}

// A click and keys are judged apart: which field the keys go to is known only after the click.
Result<Outcome> click_and_type(ActionContext& context, const SeenElement& field, const std::string& text, Where where) {
  const Point centre = TRY(centre_of(field));
  Outcome clicked = TRY(context.perform(plan::click(centre, Button::left, 1, {})));
  if (clicked.dry_run) return clicked;
  if (!TRY(await_field(context, field, [](const Element&) { return true; }))) {
    return make_error(Code::capability_unsupported, "The field did not take the focus when it was clicked.")
        .with_hint("Capture again and see what is in the way; nothing was typed.")
        .with_side_effects(SideEffects::possible);
  }
  const InputPlan keys = TRY(keys_for(field, text, where));
  Outcome outcome = TRY(context.perform(keys));
  if (is_secret(field.element)) {
    outcome.text = "Typed in. A password field tells nobody what it holds, so it was not read back.";
    return outcome;
  }
  const std::string wanted = where == Where::over ? text : field.element.value + text;
  const auto is_there = [&](const Element& element) { return element.value == wanted; };
  // It was typed whatever the app says now.
  Result<std::optional<Element>> after = await_field(context, field, is_there);
  if (where == Where::over && after.ok() && *after && lost_some((*after)->value, text)) {
    outcome = TRY(context.perform(keys));
    after = await_field(context, field, is_there);
  }
  if (after.ok() && *after && is_there(**after)) {
    outcome = acted(outcome.route, outcome.delivery, {Evidence::value_readback});
    outcome.text = "Typed in, and read back.";
  } else {
    outcome.effect = Effect::unverified;
    outcome.text = "Typed in, but the field reads otherwise. Capture it to see what it made of it.";
  }
  return outcome;
}

// A tab or a line break leaves a field that has one line.
bool leaves(const SeenElement& field, const std::string& text) {
  const bool lines = field.element.states.has(ElementState::multi_line);
  return text.find_first_of(lines ? "\t" : "\t\r\n") != std::string::npos;
}

Result<Outcome> type_by_hand(ActionContext& context, const SeenElement& field, const std::string& text, Where where,
                             const char* name, Delivery delivery) {
  if (leaves(field, text)) {
    return make_error(Code::argument_invalid, "Keys would be typed for it: a tab or a line break leaves the field.")
        .with_field(name, "text without tabs, and without line breaks where the field has one line");
  }
  return context.by_hand(delivery, field.element.window, [&] { return click_and_type(context, field, text, where); });
}

// Where the caret of a field without the focus is, nobody sees: what is typed goes on at its end.
Result<Outcome> append(ActionContext& context, const SeenElement& field, const std::string& text) {
  // Longer ones are not told whole.
  constexpr std::size_t kToldWhole = 2000;
  if (is_secret(field.element)) return no_secrets();
  if (!field.element.states.has(ElementState::multi_line) && leaves(field, text)) {
    return needs_front("A tab or a line break in a field of one line");
  }
  const std::string& old = field.element.value;
  const bool whole = old.size() < kToldWhole && old.find("\ufffc") == std::string::npos;
  const ActOnElement act = whole ? ActOnElement{field.key, ElementVerb::set_value, old + text, {}}
                                 : ActOnElement{field.key, ElementVerb::insert, text, {}};
  Result<Outcome> done = context.perform_on(field.key, act);
  const bool in_vain = done.ok() && done->effect == Effect::suspected_noop;
  const bool no_way = !done.ok() && done.error().code == Code::capability_unsupported;
  if ((in_vain || no_way) && context.has_own_hand())
    // All of it over what is there: an app that is late must not have it twice.
    return type_by_hand(context, field, whole ? old + text : text, whole ? Where::over : Where::after, "text",
                        Delivery::background);
  if (in_vain) done->text += " Repeat it with `delivery` foreground, which types it in.";
  if (!no_way) return done;
  return needs_front(fmt::format("Typing into this {}", field.element.role));
}

}  // namespace

bool is_secret(const Element& element) {
  return element.states.has(ElementState::secret) || element.role == "password text";
}

Error no_secrets() { return needs_front("Writing to a password field"); }

Result<Outcome> type_over(ActionContext& context, const SeenElement& field, const std::string& text,
                          Delivery delivery) {
  return type_by_hand(context, field, text, Where::over, "value", delivery);
}

Result<Outcome> type_into(ActionContext& context, const TypeInto& type) {
  const bool front = type.delivery == Delivery::foreground;
  std::optional<SeenElement> field;
  if (type.element) {
    field = TRY(context.element(*type.element));
    if (!field->element.states.has(ElementState::editable)) {
      return make_error(Code::argument_invalid,
                        fmt::format("Element {} is a {}, which takes no text.", *type.element, field->element.role))
          .with_field("element", "the number of a field");
    }
    context.use_field(*field);
    if (front) return type_by_hand(context, *field, type.text, Where::after, "text", Delivery::foreground);
    return append(context, *field, type.text);
  }
  const Target target = TRY(context.aim(type.app, {}));
  if (TRY(context.in_front())) return context.perform(plan::type(type.text));
  if (front) return context.perform_by_hand(Delivery::foreground, target.window, plan::type(type.text));
  field = TRY(context.focused_element(target));
  if (!field || !field->element.states.has(ElementState::editable)) field = TRY(context.field_in_use(target));
  if (!field) {
    Error unnamed = needs_front("Typing without saying where");
    unnamed.hint =
        "Name the field by its number in `element`. Else repeat it with `delivery` foreground, which types "
        "into what has the focus in the app.";
    return unnamed;
  }
  return append(context, *field, type.text);
}

}  // namespace handrail::actions

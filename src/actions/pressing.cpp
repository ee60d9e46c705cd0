#include "actions/pressing.h"

#include <fmt/format.h>

#include "actions/by_hand.h"
#include "actions/context.h"

namespace handrail::actions {
namespace {

// Apps that show a press by a button which stays down for a moment let it go well before this.
constexpr Millis kSpring{250};

bool is_down(const Element& element) {
  return element.states.has(ElementState::checked) || element.states.has(ElementState::pressed);
}

// Pressed again before it is up, it would only be let go.
Status await_spring(ActionContext& context, const SeenElement& seen, Outcome& outcome) {
  Target target;
  target.pid = seen.key.pid;
  target.window = seen.element.window;
  const Deadline deadline = Deadline::in(kSpring);
  while (true) {
    TRY(context.begin_watch(target));
    const Result<Element> now = context.read(seen.key);
    if (!now.ok()) return {};
    if (!is_down(*now)) {
      outcome.text += " It sprang back by itself.";
      return {};
    }
    if (deadline.passed()) return {};
    TRY(context.await_change(target, deadline));
  }
}

Error disabled(const Element& element) {
  return make_error(Code::capability_unsupported, fmt::format("The {} is disabled.", element.role))
      .with_hint("A click does nothing now. See what the app wants first, and capture again once it is enabled.")
      .with_retry(Retry::look_again);
}

}  // namespace

bool may_by_hand(ActionContext& context, const Element& element, const Error& refused) {
  return !refused.retry && !opens(element) && context.has_own_hand();
}

bool may_click_beside(ActionContext& context, Button button) {
  return button == Button::left && context.has_own_hand();
}

Error or_in_front(Error refused, std::string_view how) {
  if (refused.retry) return refused;
  if (refused.hint.find("foreground") == std::string::npos) refused.hint = how;
  return std::move(refused).with_retry(Retry::fix_arguments);
}

Result<Outcome> press(ActionContext& context, const SeenElement& seen, std::optional<Point> at) {
  if (!seen.element.states.has(ElementState::enabled)) return disabled(seen.element);
  const bool toggle = seen.element.role == "toggle button";
  Outcome outcome = TRY(context.perform_on(seen.key, ActOnElement{seen.key, ElementVerb::press, {}, {}, at}));
  if (toggle && !is_down(seen.element) && !outcome.dry_run && outcome.effect == Effect::confirmed) {
    TRY(await_spring(context, seen, outcome));
  }
  return outcome;
}

}  // namespace handrail::actions

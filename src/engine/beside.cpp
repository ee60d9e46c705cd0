// Acting with a pointer and a keyboard of the agent's own, while the person goes on with theirs.
#include <algorithm>

#include "engine/call_context.h"

namespace handrail::engine {
namespace {

// GTK takes clicks on a window without the focus as they are; others bring their window to the front for it, unless
// they are told that it has the focus.
bool asks_for_focus(Accessibility* port, std::int64_t pid) {
  if (port == nullptr) return true;
  TreeRequest request;
  request.pids = {pid};
  const auto trees = port->trees(request, Deadline::in(kBackendPatience));
  if (!trees.ok() || trees->empty()) return true;
  const std::string& toolkit = trees->front().toolkit;
  return toolkit != "gtk" && toolkit != "GTK";
}

bool has_keys(const InputPlan& plan) {
  return std::ranges::any_of(plan.steps, [](const Step& step) {
    return std::holds_alternative<KeyDown>(step) || std::holds_alternative<TypeText>(step);
  });
}

}  // namespace

bool CallContext::has_own_hand() {
  Input* input = computer_.input();
  return input != nullptr && input->has_seats();
}

Result<Outcome> CallContext::beside(WindowId window, const std::function<Result<Outcome>()>& act) {
  if (only_plan_) return act();
  Input* input = TRY(require(computer_.input(), "input"));
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  const std::vector<Window> list = TRY(windows->list(Deadline::in(kBackendPatience)));
  const auto target = std::ranges::find(list, window, &Window::id);
  // A menu or a list that is open is in no window manager's list; it is of the window that is aimed at.
  const auto aimed = session_.target();
  const bool managed = target != list.end();
  const std::int64_t pid = managed ? target->pid : aimed ? aimed->pid : 0;
  seat_ = Seat{managed || !aimed ? window : aimed->window, asks_for_focus(computer_.accessibility(), pid)};
  Result<Outcome> outcome = act();
  seat_.reset();
  const Status left = input->leave_seat(Deadline::in(kBackendPatience));
  if (outcome.ok() && !left.ok()) {
    outcome->text += " The agent's own pointer could not be taken away: " + left.error().message;
  }
  return outcome;
}

Plan CallContext::seated(const Plan& plan) const {
  const auto* input = std::get_if<InputPlan>(&plan);
  if (!seat_ || input == nullptr) return plan;
  InputPlan own = *input;
  own.seat = seat_;
  own.seat->focus = seat_->focus || has_keys(own);
  return own;
}

}  // namespace handrail::engine

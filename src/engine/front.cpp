// Acting in front of everything, and putting back what was there.
#include <algorithm>

#include "engine/call_context.h"
#include "engine/permit_mint.h"

namespace handrail::engine {
namespace {

const Window* focused_in(const std::vector<Window>& list) {
  const auto found = std::ranges::find_if(list, &Window::focused);
  return found == list.end() ? nullptr : &*found;
}

const Window* find_in(const std::vector<Window>& list, WindowId id) {
  const auto found = std::ranges::find(list, id, &Window::id);
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

// Putting back is nothing that an agent asked for, so no grant is asked; but nothing at all is sent once the owner has
// stopped everything.
Permit CallContext::permit_to_restore() {
  return PermitMint::mint([this](const InputEvent&) -> Status {
    if (!session_.kill_switch().stopped()) return {};
    return make_error(Code::gate_refused, "Handrail was switched off.");
  });
}

// An app that closes a list or a menu may take the focus once more when it gets to it.
bool CallContext::bring_back(WindowId window) {
  constexpr int kTries = 3;
  Windows* windows = computer_.windows();
  for (int tries = 0; tries < kTries; ++tries) {
    if (session_.kill_switch().stopped()) return false;
    ChangeWindow back;
    back.window = window;
    if (!windows->change(back, permit_to_restore(), Deadline::in(kBackendPatience), {}).ok()) return false;
    if (!settle().ok()) return true;
    const auto now = windows->list(Deadline::in(kBackendPatience));
    if (!now.ok()) return true;
    const Window* focused = focused_in(*now);
    if (focused != nullptr && focused->id == window) return true;
  }
  return false;
}

// The pointer goes back to where the person left it, unless they have taken it since.
bool CallContext::bring_pointer_back(Point before, TimePoint since) {
  Input* input = computer_.input();
  Targets* targets = computer_.targets();
  const auto now = pointer();
  if (input == nullptr || !now.ok() || *now == before) return true;
  const auto idle = targets == nullptr ? std::nullopt : targets->person_seen();
  if (idle && Clock::now() - *idle > since) return true;
  const InputPlan back{{MoveTo{before}}};
  return input->perform(back, permit_to_restore(), Deadline::in(kBackendPatience), {}).ok();
}

Result<Outcome> CallContext::in_front_of(WindowId window, const std::function<Result<Outcome>()>& act) {
  if (only_plan_) return act();
  Windows* windows = TRY(require(computer_.windows(), "window control"));
  const std::vector<Window> before = TRY(windows->list(Deadline::in(kBackendPatience)));
  const Window* focused = focused_in(before);
  // A menu or a list that is open is in no window manager's list, and above everything.
  const Window* target = find_in(before, window);
  const bool in_front = target == nullptr || (focused != nullptr && focused->id == window);
  const auto pointer_before = pointer();
  const TimePoint began = Clock::now();
  if (!in_front) {
    ChangeWindow front;
    front.window = window;
    TRY(perform(front));
  }
  Result<Outcome> outcome = act();
  if (call_.dry_run) return outcome;
  // What was in front comes back whatever became of the act; that it did not is told, and loses nothing else.
  bool restored = true;
  if (!in_front && focused != nullptr && !somebody_else_came(*target, focused->id)) restored = bring_back(focused->id);
  if (restored && pointer_before.ok()) restored = bring_pointer_back(*pointer_before, began);
  if (outcome.ok()) {
    outcome->delivery = Delivery::foreground;
    if (!restored) outcome->text += " What was in front before could not be brought back.";
  }
  return outcome;
}

// The person has gone to a window of another app meanwhile: that is where they want to be.
bool CallContext::somebody_else_came(const Window& target, WindowId before) {
  const auto now = computer_.windows()->list(Deadline::in(kBackendPatience));
  if (!now.ok()) return false;
  const Window* focused = focused_in(*now);
  return focused != nullptr && focused->id != before && focused->pid != target.pid;
}

}  // namespace handrail::engine

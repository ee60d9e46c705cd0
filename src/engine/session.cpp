#include "engine/session.h"

#include "base/random_id.h"

namespace handrail::engine {

Session::Session(Computer& computer, KillSwitch& kill_switch, SessionSettings settings)
    : computer_(computer),
      kill_switch_(kill_switch),
      settings_(std::move(settings)),
      id_(random_id("session-")),
      access_(policy::initial_access(settings_.rules)) {}

Session::~Session() { static_cast<void>(release_input()); }

std::optional<Look> Session::last_look() const {
  const std::lock_guard lock(mutex_);
  return last_look_;
}

void Session::remember(Look look) {
  const std::lock_guard lock(mutex_);
  last_look_ = std::move(look);
}

int Session::selected_display() const {
  const std::lock_guard lock(mutex_);
  return selected_display_;
}

void Session::select_display(int display) {
  const std::lock_guard lock(mutex_);
  selected_display_ = display;
}

Access Session::access() const {
  const std::lock_guard lock(mutex_);
  return access_;
}

Access Session::request_access(const AccessRequest& request, std::stop_token stop) {
  // The person may take a while to answer: decide on a copy. Calls that change grants run alone.
  Access decided = policy::decide(settings_.rules, access(), request, settings_.approver, stop);
  const std::lock_guard lock(mutex_);
  access_ = decided;
  return decided;
}

Status Session::release_input() {
  if (Input* input = computer_.input()) return input->release_all(Deadline::in(kBackendPatience));
  return {};
}

}  // namespace handrail::engine

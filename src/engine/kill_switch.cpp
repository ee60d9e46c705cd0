#include "engine/kill_switch.h"

namespace handrail::engine {

void KillSwitch::stop(std::string because) {
  std::stop_source fired;
  {
    const std::lock_guard lock(mutex_);
    because_ = std::move(because);
    fired = source_;
  }
  // Outside the lock: callbacks run here and may ask us.
  fired.request_stop();
}

void KillSwitch::resume() {
  const std::lock_guard lock(mutex_);
  source_ = std::stop_source();
  because_.clear();
}

bool KillSwitch::stopped() const {
  const std::lock_guard lock(mutex_);
  return source_.stop_requested();
}

std::string KillSwitch::because() const {
  const std::lock_guard lock(mutex_);
  return because_;
}

std::stop_token KillSwitch::token() const {
  const std::lock_guard lock(mutex_);
  return source_.get_token();
}

}  // namespace handrail::engine

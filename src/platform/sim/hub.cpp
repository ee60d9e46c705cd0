#include "platform/sim/hub.h"

namespace handrail::sim {

Result<std::uint64_t> Hub::wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stop.stop_requested()) return make_error(Code::cancelled, "Waiting for a change was cancelled.");
    if (lost_) return lost_error();
    if (deadline.passed()) return late_error();
    if (desktop_.changes() > seen) return desktop_.changes();
    const std::optional<Millis> due = desktop_.next_due();
    if (due && *due <= deadline.left()) {
      desktop_.advance(*due);
    } else if (waiting_ == Waiting::skip) {
      return late_error();
    } else {
      changed_.wait_until(lock, stop, deadline.at(), [&] { return lost_ || desktop_.changes() > seen; });
    }
  }
}

void Hub::set_lost(bool lost) {
  const std::lock_guard lock(mutex_);
  lost_ = lost;
  changed_.notify_all();
}

void Hub::after_event(std::size_t nth, std::function<void()> act) {
  const std::lock_guard lock(mutex_);
  hooks_.emplace(events_sent_ + nth, std::move(act));
}

void Hub::event_sent() {
  std::vector<std::function<void()>> due;
  {
    const std::lock_guard lock(mutex_);
    ++events_sent_;
    const auto [first, last] = hooks_.equal_range(events_sent_);
    for (auto hook = first; hook != last; ++hook) due.push_back(std::move(hook->second));
    hooks_.erase(first, last);
  }
  for (const auto& act : due) act();
}

Capabilities Hub::capabilities() {
  const std::lock_guard lock(mutex_);
  return capabilities_;
}

void Hub::lack(Capability capability, std::string missing, std::string fix) {
  const std::lock_guard lock(mutex_);
  capabilities_.lack(capability, std::move(missing), std::move(fix));
}

bool Hub::has(Capability capability) {
  const std::lock_guard lock(mutex_);
  return capabilities_[capability].available;
}

}  // namespace handrail::sim

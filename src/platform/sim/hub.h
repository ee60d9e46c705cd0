// What the ports of one simulated computer share: the desktop under its lock, and the faults that a
// test injects. Ports go through use(), which meets the faults; tests go through arrange(), which does not.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "model/capability.h"
#include "platform/sim/desktop.h"

namespace handrail::sim {

// What waiting for a change does when nothing on the desktop is due to change.
enum class Waiting {
  real,  // waits until another thread changes something or the deadline passes
  skip,  // answers `timeout` at once: for tests that run on one thread
};

class Hub {
 public:
  Hub(const std::vector<DisplaySpec>& displays, Waiting waiting) : waiting_(waiting), desktop_(displays) {
    constexpr const char* kElsewhere = "Use a real desktop.";
    capabilities_.lack(Capability::files, "files", kElsewhere);
    capabilities_.lack(Capability::programs, "programs", kElsewhere);
  }

  // Runs `act` on the desktop, alone. `backend_lost` and `timeout` come without running it.
  template <class Act>
  auto use(Deadline deadline, Act act) -> decltype(act(std::declval<Desktop&>())) {
    const std::lock_guard lock(mutex_);
    if (lost_) return lost_error();
    if (deadline.passed()) return late_error();
    const Wake wake{*this};
    return act(desktop_);
  }

  template <class Act>
  auto arrange(Act act) -> decltype(act(std::declval<Desktop&>())) {
    const std::lock_guard lock(mutex_);
    const Wake wake{*this};
    return act(desktop_);
  }

  // Until the count passes `seen`: first what is due on the virtual clock within the deadline, then by
  // waiting for other threads.
  Result<std::uint64_t> wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop);

  void set_lost(bool lost);

  // `act` runs after the `nth` input event from now, on the thread that performs, without the lock.
  void after_event(std::size_t nth, std::function<void()> act);
  void event_sent();

  Capabilities capabilities();
  // Since a person was seen; takes no lock, so that it can be asked where events are judged.
  std::optional<Millis> person_idle() const {
    const Millis::rep idle = person_idle_;
    return idle == kNever ? std::nullopt : std::optional<Millis>(idle);
  }
  void lack(Capability capability, std::string missing, std::string fix);
  bool has(Capability capability);

  static Error lost_error() { return make_error(Code::backend_lost, "The simulated display server is gone."); }
  static Error late_error() { return make_error(Code::timeout, "The deadline has passed."); }

 private:
  struct Wake {
    Hub& hub;
    ~Wake() {
      const auto seen = hub.desktop_.person_seen();
      hub.person_idle_ = seen ? (hub.desktop_.now() - *seen).count() : kNever;
      hub.changed_.notify_all();
    }
  };

  static constexpr Millis::rep kNever = -1;
  std::atomic<Millis::rep> person_idle_ = kNever;
  const Waiting waiting_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  Desktop desktop_;
  bool lost_ = false;
  Capabilities capabilities_;
  std::size_t events_sent_ = 0;
  std::multimap<std::size_t, std::function<void()>> hooks_;
};

}  // namespace handrail::sim

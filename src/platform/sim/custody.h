// The guardian and the lock of a simulated desktop: nothing outlives the process, and nobody else is there. Tests
// take them away to see what happens without.
#pragma once

#include <atomic>

#include "computer/custody.h"
#include "computer/desk_lock.h"

namespace handrail::sim {

class SimCustody : public Custody {
 public:
  std::atomic<bool> there = true;

  Status ready() override {
    if (there) return {};
    return make_error(Code::permission_missing, "The guardian is gone.").with_hint("Start the server again.");
  }
  Status held(const HeldNow&) override { return ready(); }
  Status keep(Kept, std::string) override { return ready(); }
  Status give_back(Kept, Deadline) override { return ready(); }
  void grabbing(bool) noexcept override {}
};

class SimLock : public DeskLock {
 public:
  std::atomic<bool> taken_away = false;

  Status take(const std::string&, Deadline) override { return check(); }
  Status check() override {
    if (!taken_away) return {};
    return make_error(Code::busy, "Session other (pid 1) holds this desktop.");
  }
  void release() noexcept override {}
};

}  // namespace handrail::sim

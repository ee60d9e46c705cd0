// The guardian of one desk, started when it is first needed: a server that only looks has nothing to undo.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "platform/linux/guardian_link.h"

namespace handrail::app {

class DeskGuardian final : public Custody {
 public:
  // Where the desktop is now; asked when the guardian is started.
  using Where = std::function<Result<linux_::WatchedDisplay>()>;
  explicit DeskGuardian(Where where) : where_(std::move(where)) {}

  Status ready() override;
  Status held(const HeldNow& now) override;
  Status keep(Kept what, std::string bytes) override;
  Status give_back(Kept what, Deadline deadline) override;
  void grabbing(bool on) noexcept override;
  // The display server was started anew, or another one took its place.
  void moved(const std::string& display, const std::string& xauthority);

 private:
  Result<linux_::GuardianLink*> link();

  Where where_;
  std::mutex mutex_;
  std::unique_ptr<linux_::GuardianLink> link_;
  std::atomic<linux_::GuardianLink*> started_ = nullptr;
};

}  // namespace handrail::app

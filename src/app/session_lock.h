// The lock on a desk: a file for the processes of one user, and a claim on the display itself for everybody else who
// can reach it. Both are needed; the file finds dead and stopped holders, the claim other homes and containers.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "computer/desk_lock.h"
#include "platform/linux/lock_file.h"
#include "platform/x11/display_claim.h"

namespace handrail::app {

class SessionLock final : public DeskLock {
 public:
  // The display may be another one after a restart of an embedded desktop: it is asked for at each taking.
  using Display = std::function<Result<std::string>()>;
  SessionLock(std::string folder, Display display, std::shared_ptr<x11::DisplayClaim> claim)
      : folder_(std::move(folder)), display_(std::move(display)), claim_(std::move(claim)) {}

  Status take(const std::string& session, Deadline deadline) override;
  Status check() override;
  void release() noexcept override;

 private:
  const std::string folder_;
  Display display_;
  std::shared_ptr<x11::DisplayClaim> claim_;
  std::shared_ptr<linux_::LockFile> file() const;

  std::mutex taking_;  // one take or release at a time
  std::string path_;
  mutable std::mutex mutex_;  // of the pointer only
  std::shared_ptr<linux_::LockFile> file_;
};

}  // namespace handrail::app

// The Services port: the session's message bus, and what the apps on it offer to do. One connection a call, so that a
// bus that was lost is found again by itself.
#pragma once

#include <functional>

#include "computer/system.h"

namespace handrail::linux_ {

using BusAddress = std::function<Result<std::string>()>;

class BusServices : public Services {
 public:
  explicit BusServices(BusAddress address) : address_(std::move(address)) {}

  Result<std::string> call(const CallService& call, Permit permit, Deadline deadline) override;
  Result<std::int64_t> owner(const std::string& name, Deadline deadline) override;
  Result<std::vector<AppCommand>> commands(const std::vector<std::int64_t>& pids, Deadline deadline) override;

 private:
  BusAddress address_;
};

}  // namespace handrail::linux_

// The Services port: the session's message bus, and what the apps on it offer to do. One connection a call, so that a
// bus that was lost is found again by itself.
#pragma once

#include <functional>

#include "computer/system.h"

namespace handrail::linux_ {

using BusAddress = std::function<Result<std::string>()>;
// Of the desktop entry with the id: its actions, each ended by a semicolon; empty when there is none.
using EntryActions = std::function<std::string(const std::string& id)>;

class BusServices : public Services {
 public:
  explicit BusServices(BusAddress address, EntryActions entries = nullptr)
      : address_(std::move(address)), entries_(std::move(entries)) {}

  Result<std::string> call(const CallService& call, Permit permit, Deadline deadline) override;
  Result<std::int64_t> owner(const std::string& name, Deadline deadline) override;
  Result<std::vector<AppCommand>> commands(const std::vector<std::int64_t>& pids, Deadline deadline) override;

 private:
  BusAddress address_;
  EntryActions entries_;
};

}  // namespace handrail::linux_

// Running programs in a sandbox, and the processes of this user.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/permit.h"
#include "model/program.h"

namespace handrail {

inline constexpr std::size_t kMostOutput = 16000;

class Programs {
 public:
  virtual ~Programs() = default;

  // Empty when programs can be run; else what is missing. `fix` says what to do about it.
  virtual std::string missing(std::string* fix) = 0;
  // Returns when the program and all that it started are gone: by themselves, at its deadline, or when stopped.
  virtual Result<ProgramEnd> run(const RunProgram& program, Permit permit, std::stop_token stop) = 0;

  virtual Result<std::vector<ProcessInfo>> processes(Deadline deadline) = 0;
  virtual Result<ProcessInfo> process(std::int64_t pid) = 0;
  // True when it has ended by itself after being asked. `target_stale` when the number means another process by now.
  virtual Result<bool> end(const EndProcess& end, Permit permit, Deadline deadline) = 0;
  // The variables of the desktop's apps.
  virtual std::map<std::string, std::string> environment() = 0;
};

}  // namespace handrail

// The session around the windows: state of the machine, notifications, brightness, screen lock, and the services on the
// session's message bus. Contracts as in ports.h: an answer that does not come by the deadline is `timeout`, a service
// that is not there is `capability_unsupported` naming it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/capability.h"
#include "model/input_plan.h"
#include "model/permit.h"
#include "model/system.h"

namespace handrail {

class System {
 public:
  virtual ~System() = default;

  // What cannot be learnt is left out.
  virtual Result<SystemState> state(Deadline deadline) = 0;
  // The number that the service gave it.
  virtual Result<std::uint32_t> notify(const std::string& title, const std::string& text, Permit permit,
                                       Deadline deadline) = 0;
  // What arrived since listening began, oldest first.
  virtual Result<NotificationsSeen> notifications(Deadline deadline) = 0;
  // What it reads afterwards, in percent.
  virtual Result<int> set_brightness(int percent, Permit permit, Deadline deadline) = 0;
  // Whether it says that it is locked afterwards.
  virtual Result<bool> lock(Permit permit, Deadline deadline) = 0;
  // Switches it on for the session and waits until its bus answers; whether it was on before.
  virtual Result<bool> enable_accessibility(Permit permit, Deadline deadline) = 0;
  // Adds what is missing, from what is known by now or can be looked up at once.
  virtual void tell_lacks(Capabilities& capabilities) = 0;
};

class Services {
 public:
  virtual ~Services() = default;

  // The answer's values as a JSON list.
  virtual Result<std::string> call(const CallService& call, Permit permit, Deadline deadline) = 0;
  // 0 when nobody owns the name now.
  virtual Result<std::int64_t> owner(const std::string& name, Deadline deadline) = 0;
  // What these processes offer; one that does not answer offers nothing.
  virtual Result<std::vector<AppCommand>> commands(const std::vector<std::int64_t>& pids, Deadline deadline) = 0;
};

}  // namespace handrail

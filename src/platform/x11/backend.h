// The X11 platform as a whole: one connection and the ports on it.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "computer/custody.h"
#include "computer/local_computer.h"
#include "platform/x11/connection.h"
#include "platform/x11/display_claim.h"
#include "platform/x11/input_delivery.h"
#include "platform/x11/people.h"

namespace handrail::x11 {

// What the platform needs from outside. The defaults are for tests: pids without executables, and nobody who undoes.
struct BackendParts {
  Identify identify;
  std::shared_ptr<Custody> custody;
  // Apps that hear the newest keyboard only, so that a person types in vain while the agent has one of its own.
  std::function<bool(std::int64_t pid)> hears_one_keyboard{};
};

struct Backend {
  LocalPorts ports;  // all but the apps, which are no business of a display server
  std::shared_ptr<Connection> connection;
  std::shared_ptr<InputDelivery> delivery;
  // The display's own lock. Checked before every event once it was taken.
  std::shared_ptr<DisplayClaim> claim;
  // Listens on a connection of its own, from its first call on.
  std::shared_ptr<People> people;
  // Evaluates `done` now and whenever a window may have come, gone or changed. `timeout` at the
  // deadline, `cancelled` when stopped, else done's own error.
  std::function<Status(Deadline deadline, std::stop_token stop, const std::function<Result<bool>()>& done)>
      watch_windows;
};

// Connects on first use; `source` is asked where, again for every new connection.
Backend make_backend(Connection::DisplaySource source, BackendParts parts = {});

}  // namespace handrail::x11

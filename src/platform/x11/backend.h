// The X11 platform as a whole: one connection and the ports on it.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "computer/local_computer.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

struct Backend {
  LocalPorts ports;  // all but the apps, which are no business of a display server
  std::shared_ptr<Connection> connection;
  // Evaluates `done` now and whenever a window may have come, gone or changed. `timeout` at the
  // deadline, `cancelled` when stopped, else done's own error.
  std::function<Status(Deadline deadline, std::stop_token stop, const std::function<Result<bool>()>& done)>
      watch_windows;
};

// Connects on first use; `source` is asked where, again for every new connection.
Backend make_backend(Connection::DisplaySource source);

}  // namespace handrail::x11

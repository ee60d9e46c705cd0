// The parts of an embedded desktop and the order in which they start: X server and bus side by side,
// then window manager and accessibility, then apps. Who keeps watch over them is the supervisor.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/process.h"
#include "platform/linux/desktop_control.h"
#include "platform/linux/desktop_record.h"

namespace handrail::linux_ {

// Cuts the root of a display into monitors. Runs with DISPLAY and XAUTHORITY set for it.
using DefineMonitors = std::function<Status(const std::string& display, const std::vector<PixelRect>& monitors)>;

enum class Role { server, bus, window_manager, accessibility, program };

struct Part {
  Role role;
  Process process;
};

class DesktopSession {
 public:
  explicit DesktopSession(SuperviseRequest request);

  // Returns when everything answers: X, window manager, bus, accessibility bus. On failure the parts
  // that run are left for the caller to end.
  Status start(const DefineMonitors& define_monitors);
  Status start_window_manager();
  Result<pid_t> start_program(const ProgramRequest& request);

  std::vector<Part>& parts() { return parts_; }
  const DesktopInfo& info() const { return info_; }
  DesktopInfo& info() { return info_; }

 private:
  // Its output goes to the desktop's log; `report` is descriptor 3 of the child.
  Status start_part(Role role, std::vector<std::string> argv, int report = -1);
  int pidfd_of(Role role) const;
  // One line that a part writes to its report when it is ready.
  Result<std::string> await_report(const Pipe& report, std::string_view part);
  Status start_server_and_bus(Pipe& server_report, Pipe& bus_report);

  SuperviseRequest request_;
  Deadline deadline_;
  DesktopInfo info_;
  std::string cookie_;
  Fd log_;
  std::vector<Part> parts_;
};

// Screens side by side, tops aligned, from left to right.
std::vector<PixelRect> side_by_side(const std::vector<Size>& screens);

}  // namespace handrail::linux_

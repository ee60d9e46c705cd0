// Embedded desktops: a virtual X server with window manager, session bus and accessibility, private to
// this user. This is what other code uses; the processes behind it are in supervisor.h.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "platform/linux/desktop_folder.h"

namespace handrail::linux_ {

struct DesktopOptions {
  std::string name = "default";
  std::vector<Size> screens = {{1280, 800}};  // side by side
  DesktopHome home = DesktopHome::private_;
  std::vector<std::vector<std::string>> apps = {};  // argument lists, started once the desktop is ready
  bool reuse = false;                               // a running desktop of that name is as good
  // The reading end of a pipe: the desktop ends when its last writing end closes. -1: it lives until
  // stopped.
  int owner_fd = -1;
  // The executable that answers `desktop supervise`; empty: the one that runs now.
  std::string program = {};
  Millis patience{10000};
};

// Returns when X, window manager, bus and accessibility bus answer. A running desktop of that name is
// `busy`, unless `reuse`. What a killed desktop of that name left is cleared first.
Result<DesktopInfo> start_desktop(const DesktopOptions& options);
// Returns when every process and file of it is gone. `not_found` when none of that name runs.
Status stop_desktop(const std::string& name);
// Running desktops by name. Clears what killed ones left behind.
Result<std::vector<DesktopInfo>> list_desktops();
// The running desktop of that name, or `not_found` that names those that run. An empty name means
// "default", or the only one that runs.
Result<DesktopInfo> find_desktop(const std::string& name);

// A desktop that ends with this object, and with this process however that ends.
class EmbeddedDesktop {
 public:
  static Result<EmbeddedDesktop> start(DesktopOptions options);
  EmbeddedDesktop(EmbeddedDesktop&&) = default;
  EmbeddedDesktop& operator=(EmbeddedDesktop&&) = delete;
  ~EmbeddedDesktop();

  const DesktopInfo& info() const { return info_; }

 private:
  EmbeddedDesktop(DesktopInfo info, Fd life) : info_(std::move(info)), life_(std::move(life)) {}

  DesktopInfo info_;
  Fd life_;
};

}  // namespace handrail::linux_

// The Apps port: opens installed apps on one desktop and waits for their windows. Which desktop that is
// comes from outside: how to start a program there, and how its windows are listed and watched.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/process.h"
#include "computer/ports.h"
#include "platform/linux/desktop_control.h"
#include "platform/linux/desktop_entry.h"

namespace handrail::linux_ {

struct AppDesktop {
  // What apps there are started with; also says where desktop entries are.
  Environment environment;
  // "NAME=value" in the environment of every process of this desktop, and of no other's.
  std::string scope;
  // Starts a program by argument list in a folder (empty: the home).
  std::function<Result<LaunchedProgram>(const std::vector<std::string>& argv, const std::string& cwd,
                                        Deadline deadline)>
      start;
};

// The desktop of the session we run in; programs are children of this process and outlive it.
AppDesktop session_desktop(const Environment& own);
// Programs are started by the desktop's supervisor and end with it.
AppDesktop embedded_apps(DesktopInfo desktop);

// Evaluates `done` now and whenever a window may have come, gone or changed. `timeout` at the deadline,
// `cancelled` when stopped, else done's own error.
using WatchWindows =
    std::function<Status(Deadline deadline, std::stop_token stop, const std::function<Result<bool>()>& done)>;

class AppLauncher : public Apps {
 public:
  // `windows` outlives the launcher.
  AppLauncher(AppDesktop desktop, Windows& windows, WatchWindows watch);

  Result<std::vector<App>> list(Deadline deadline) override;
  Result<AppProgram> resolve(const std::string& app, Deadline deadline) override;
  Result<OpenedApp> open(const OpenApp& asked, Permit permit, Deadline deadline, std::stop_token stop) override;
  Result<App> app_for(const std::string& file, Deadline deadline) override;
  Status end(std::int64_t pid, Permit permit, Deadline deadline) override;

 private:
  // The topmost window of a running app.
  std::optional<Window> window_of(const App& app, const std::vector<Window>& windows) const;
  std::optional<Window> in_focus(Window window, Deadline deadline, std::stop_token stop);
  struct Awaited {
    const DesktopEntry& entry;
    const OpenApp& asked;
    const App& app;  // as it was before
    const std::vector<Window>& before;
  };
  Result<std::optional<Window>> await_window(const Awaited& awaited, LaunchedProgram program, Deadline deadline,
                                             std::stop_token stop);

  AppDesktop desktop_;
  Windows& windows_;
  WatchWindows watch_;
};

}  // namespace handrail::linux_

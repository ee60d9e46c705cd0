#include "app/running_apps.h"

#include <algorithm>
#include <sstream>

#include "platform/linux/process_table.h"
#include "platform/linux/toolkit_needs.h"

namespace handrail::app {
namespace {

// More than the frame of a window.
constexpr std::size_t kFewest = 2;

// Some programs put all of their arguments into one.
bool was_given(pid_t pid, const std::string& flag) {
  for (const std::string& argument : linux_::arguments_of(pid)) {
    std::istringstream words(argument);
    for (std::string word; words >> word;) {
      if (word == flag || word.starts_with(flag + "=")) return true;
    }
  }
  return false;
}

Status find_trees(Accessibility& port, std::vector<RunningApp>& apps, Deadline deadline) {
  TreeRequest request;
  request.showing = false;
  request.most = kFewest + 1;
  for (const RunningApp& app : apps) request.pids.push_back(app.pid);
  for (const ElementTree& tree : TRY(port.trees(request, deadline))) {
    const auto app = std::ranges::find(apps, tree.pid, &RunningApp::pid);
    if (app != apps.end()) app->shows = tree.elements.size() >= kFewest;
  }
  return {};
}

}  // namespace

Result<std::vector<RunningApp>> running_apps(Desk& desk, Deadline deadline) {
  std::vector<RunningApp> apps;
  for (const Window& window : TRY(desk.computer->windows()->list(deadline))) {
    const bool known = std::ranges::find(apps, window.pid, &RunningApp::pid) != apps.end();
    if (window.pid <= 0 || known) continue;
    const auto pid = static_cast<pid_t>(window.pid);
    RunningApp app{window.pid, linux_::executable_of(pid), false, {}};
    app.flag = linux_::accessibility_flag(app.program);
    if (!app.flag.empty() && was_given(pid, app.flag)) app.flag.clear();
    apps.push_back(std::move(app));
  }
  Accessibility& port = *desk.computer->accessibility();
  std::vector<std::int64_t> pids;
  for (const RunningApp& app : apps) pids.push_back(app.pid);
  while (true) {
    const std::uint64_t seen = TRY(port.change_count(pids, deadline));
    TRY(find_trees(port, apps, deadline));
    const bool all = std::ranges::all_of(apps, [](const RunningApp& app) { return app.shows || !app.flag.empty(); });
    if (all || deadline.passed()) return apps;
    constexpr Millis kAgain{200};
    const auto changed = port.wait_for_change(pids, seen, deadline.within(kAgain), {});
    if (!changed.ok() && changed.error().code != Code::timeout) return changed.error();
  }
}

}  // namespace handrail::app

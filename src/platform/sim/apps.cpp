#include <algorithm>
#include <cctype>

#include "platform/sim/ports.h"

namespace handrail::sim {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

Result<AppSpec*> find_app(Desktop& desktop, const std::string& wanted) {
  std::vector<AppSpec*> exact, partial;
  for (AppSpec& spec : desktop.apps()) {
    if (spec.app.id == wanted) return &spec;
    const std::string name = lower(spec.app.name), id = lower(spec.app.id), part = lower(wanted);
    if (name == part) exact.push_back(&spec);
    if (!part.empty() && (name.find(part) != std::string::npos || id.find(part) != std::string::npos)) {
      partial.push_back(&spec);
    }
  }
  const std::vector<AppSpec*>& found = exact.empty() ? partial : exact;
  if (found.empty()) return make_error(Code::not_found, "No app is called \"" + wanted + "\".");
  if (found.size() == 1) return found.front();
  std::string candidates;
  for (const AppSpec* spec : found) candidates += (candidates.empty() ? "" : ", ") + spec->app.id;
  return make_error(Code::ambiguous, "Several apps match \"" + wanted + "\": " + candidates + ".");
}

SimWindow* window_of(Desktop& desktop, const App& app) {
  for (auto window = desktop.windows().rbegin(); window != desktop.windows().rend(); ++window) {
    if (std::count(app.pids.begin(), app.pids.end(), (*window)->spec.pid) > 0) return window->get();
  }
  return nullptr;
}

}  // namespace

Result<std::vector<App>> SimApps::list(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<std::vector<App>> {
    std::vector<App> told;
    for (const AppSpec& spec : desktop.apps()) told.push_back(spec.app);
    return told;
  });
}

Result<AppProgram> SimApps::resolve(const std::string& app, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<AppProgram> {
    // Windows that no installed app opened have a program too.
    for (const auto& window : desktop.windows()) {
      if (window->spec.app == app) return AppProgram{{app, app, "/sim/" + app, {}}, identity_of(app, 0)};
    }
    const AppSpec* spec = TRY(find_app(desktop, app));
    return AppProgram{spec->app, identity_of(spec->window.app, 0)};
  });
}

Result<App> SimApps::app_for(const std::string& file, Deadline) {
  return make_error(Code::not_found, "No app opens " + file + ".");
}

Status SimApps::end(std::int64_t pid, Permit, Deadline deadline) {
  TRY(hub_.use(deadline, [&](Desktop& desktop) -> Result<bool> {
    std::vector<WindowId> windows;
    for (const auto& window : desktop.windows()) {
      if (window->spec.pid == pid) windows.push_back(window->id);
    }
    for (const WindowId window : windows) desktop.remove(window);
    return true;
  }));
  return {};
}

Result<OpenedApp> SimApps::open(const OpenApp& asked, Permit, Deadline deadline, std::stop_token stop) {
  if (stop.stop_requested()) return make_error(Code::cancelled, "Opening the app was cancelled.");
  if (!asked.file.empty()) {
    return make_error(Code::argument_invalid, "Simulated apps open no files.").with_field("file", "nothing");
  }
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<OpenedApp> {
    AppSpec* spec = TRY(find_app(desktop, asked.app));
    OpenedApp opened;
    opened.was_running = !spec->app.pids.empty();
    if (SimWindow* window = window_of(desktop, spec->app)) {
      if (asked.raise) desktop.focus(window->id);
      opened.app = spec->app;
      opened.window = desktop.describe(*window);
      return opened;
    }
    if (!opened.was_running) spec->app.pids.push_back(desktop.next_pid());
    opened.app = spec->app;
    if (!spec->shows_window) return opened;
    WindowSpec first = spec->window;
    first.pid = spec->app.pids.back();
    desktop.later(spec->start_time, [first](Desktop& d) { d.add(first); });
    if (spec->start_time > deadline.left()) return opened;
    desktop.advance(spec->start_time);
    if (const SimWindow* window = window_of(desktop, opened.app)) opened.window = desktop.describe(*window);
    return opened;
  });
}

}  // namespace handrail::sim

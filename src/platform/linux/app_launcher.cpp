#include "platform/linux/app_launcher.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "platform/linux/app_program.h"
#include "platform/linux/default_app.h"
#include "platform/linux/desktop_environment.h"
#include "platform/linux/installed_apps.h"
#include "platform/linux/named_app.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {
namespace {

constexpr Millis kFocusPatience{1000};
constexpr Millis kEndGrace{2000};
// A window that says that its start was asked for before anything else happened is given no focus.
constexpr std::string_view kStartedLongAgo = "DESKTOP_STARTUP_ID=handrail_TIME1";

// Requests a stop when the program ends or the caller stops, so that one wait covers both and windows.
class EndWatch {
 public:
  EndWatch(int ended_fd, std::stop_token outer)
      : wake_(::eventfd(0, EFD_CLOEXEC)), outer_(std::move(outer), [this] { source_.request_stop(); }) {
    thread_ = std::thread([this, ended_fd] {
      pollfd waits[] = {{ended_fd, POLLIN, 0}, {wake_.get(), POLLIN, 0}};
      while (::poll(waits, 2, -1) < 0) continue;
      if (waits[0].revents != 0) source_.request_stop();
    });
  }
  ~EndWatch() {
    const std::uint64_t one = 1;
    const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
    static_cast<void>(ignored);
    thread_.join();
  }
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  Fd wake_;
  std::stop_callback<std::function<void()>> outer_;
  std::thread thread_;
};

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// An app that runs already opens its window from another process, so its class is all there is to go by.
bool has_class_of(const Window& window, const DesktopEntry& entry, const std::string& program) {
  const std::string given = lower(window.app);
  if (given.empty()) return false;
  const std::string last_of_id = entry.id.substr(entry.id.rfind('.') + 1);
  const std::string file = program.substr(program.rfind('/') + 1);
  for (const std::string& known : {entry.wm_class, entry.id, last_of_id, file}) {
    if (!known.empty() && given == lower(known)) return true;
  }
  return false;
}

// The launched process, what descends from it, and what it left in its session.
bool belongs_to(pid_t launched, std::int64_t pid) {
  if (pid <= 0) return false;
  auto facts = process_facts(static_cast<pid_t>(pid));
  if (facts && facts->session == launched) return true;
  for (int generation = 0; facts && generation < 32; ++generation) {
    if (facts->id.pid == launched) return true;
    facts = process_facts(facts->parent);
  }
  return false;
}

// Programs of a real session: reaped when they have ended, never killed.
class SessionPrograms {
 public:
  explicit SessionPrograms(Environment environment) : environment_(std::move(environment)) {}
  ~SessionPrograms() {
    for (const auto& process : processes_) process->detach();
  }

  Result<LaunchedProgram> start(const std::vector<std::string>& argv, const std::string& cwd) {
    const auto home = environment_.find("HOME");
    SpawnOptions options;
    options.argv = argv;
    options.environment = environment_;
    options.cwd = !cwd.empty() ? cwd : home == environment_.end() ? "/" : home->second;
    options.leads = Leads::session;
    auto process = std::make_shared<Process>(TRY(Process::spawn(options)));
    LaunchedProgram program;
    program.pid = process->pid();
    program.ended = TRY(open_pidfd(process->pid()));
    program.exit_status = [process] { return process->wait(Deadline::in(kBackendPatience)); };
    const std::scoped_lock lock(mutex_);
    std::erase_if(processes_, [](const auto& old) { return old->poll().has_value(); });
    processes_.push_back(std::move(process));
    return program;
  }

 private:
  Environment environment_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Process>> processes_;
};

}  // namespace

AppDesktop session_desktop(const Environment& own) {
  AppDesktop desktop;
  desktop.environment = scrubbed_environment(own);
  desktop.scope = "DISPLAY=" + desktop.environment["DISPLAY"];
  auto programs = std::make_shared<SessionPrograms>(desktop.environment);
  desktop.start = [programs](const std::vector<std::string>& argv, const std::string& cwd, Deadline) {
    return programs->start(argv, cwd);
  };
  return desktop;
}

AppDesktop embedded_apps(DesktopInfo info) {
  AppDesktop desktop;
  desktop.environment = info.environment;
  desktop.scope = marker_entry(info.name, info.id);
  desktop.start = [info = std::move(info)](const std::vector<std::string>& argv, const std::string& cwd,
                                           Deadline deadline) {
    return run_on_desktop(info, {.argv = argv, .cwd = cwd}, deadline);
  };
  return desktop;
}

AppLauncher::AppLauncher(AppDesktop desktop, Windows& windows, WatchWindows watch)
    : desktop_(std::move(desktop)), windows_(windows), watch_(std::move(watch)) {}

Result<std::vector<App>> AppLauncher::list(Deadline) {
  std::vector<App> apps;
  const std::vector<RunningProgram> running = running_programs(desktop_.scope);
  for (const DesktopEntry& entry : entries_system_first(desktop_.environment)) {
    if (!entry.no_display) apps.push_back(app_of(entry, desktop_.environment, running));
  }
  return apps;
}

std::optional<Window> AppLauncher::window_of(const App& app, const std::vector<Window>& windows) const {
  const Window* top = nullptr;
  for (const Window& window : windows) {
    if (std::ranges::find(app.pids, window.pid) == app.pids.end()) continue;
    if (!top || window.stacking > top->stacking) top = &window;
  }
  return top ? std::optional<Window>(*top) : std::nullopt;
}

Result<AppProgram> AppLauncher::resolve(const std::string& app, Deadline) {
  AppProgram program = TRY(resolve_program(app, desktop_.environment));
  const std::vector<RunningProgram> running = running_programs(desktop_.scope);
  for (const RunningProgram& process : running) {
    const bool same = process.executable == program.identity.executable &&
                      (program.identity.script.empty() || process.script == program.identity.script);
    if (same) program.app.pids.push_back(process.pid);
  }
  return program;
}

Result<OpenedApp> AppLauncher::open(const OpenApp& asked, Permit permit, Deadline deadline, std::stop_token stop) {
  const DesktopEntry entry = TRY(find_entry(asked.app, desktop_.environment));
  if (!asked.file.empty()) TRY(check_file(asked.file));
  OpenedApp opened;
  opened.app = app_of(entry, desktop_.environment, running_programs(desktop_.scope));
  opened.was_running = !opened.app.pids.empty();
  const std::vector<Window> before = TRY(windows_.list(deadline));
  const std::optional<Window> window = window_of(opened.app, before);
  if (window && asked.file.empty()) {
    opened.window = window;
    if (!asked.raise) return opened;
    opened.window = TRY(windows_.change({window->id, WindowVerb::focus, {}}, std::move(permit), deadline, stop));
    return opened;
  }
  std::vector<std::string> argv = TRY(launch_command(entry, desktop_.environment, asked.file));
  if (!asked.raise) argv.insert(argv.begin(), {"/usr/bin/env", std::string(kStartedLongAgo)});
  LaunchedProgram program = TRY(desktop_.start(argv, entry.working_folder, deadline));
  opened.window = TRY(await_window({entry, asked, opened.app, before}, std::move(program), deadline, stop));
  opened.app = app_of(entry, desktop_.environment, running_programs(desktop_.scope));
  return opened;
}

Result<App> AppLauncher::app_for(const std::string& file, Deadline) {
  TRY(check_file(file));
  const DesktopEntry entry = TRY(default_entry(file, desktop_.environment));
  return app_of(entry, desktop_.environment, running_programs(desktop_.scope));
}

Status AppLauncher::end(std::int64_t pid, Permit permit, Deadline deadline) {
  const Permit spent(std::move(permit));
  const auto process = static_cast<pid_t>(pid);
  const Fd handle = TRY(open_pidfd(process));
  // Read between the descriptor and a look that it still runs: what is said is of that process and no later one.
  const bool ours = started_with(process, desktop_.scope);
  if (wait_readable(handle.get(), Deadline::in(Millis(0))).ok()) return {};
  if (!ours) return make_error(Code::access_denied, fmt::format("Process {} is not of this desktop.", pid));
  const auto ended = end_by_pidfd(handle.get(), kEndGrace, deadline);
  if (ended.ok()) return {};
  if (ended.error().code != Code::timeout) {
    return make_error(Code::backend_error, fmt::format("Process {} cannot be ended.", pid))
        .with_hint("Ask the person to end it.");
  }
  return make_error(Code::timeout, fmt::format("Process {} did not end in time.", pid))
      .with_side_effects(SideEffects::possible);
}

// What is typed next is meant for the new window: it is waited for to have the keyboard, though not for ever, as some
// windows take none.
std::optional<Window> AppLauncher::in_focus(Window window, Deadline deadline, std::stop_token stop) {
  const Status focused = watch_(deadline.within(kFocusPatience), stop, [&]() -> Result<bool> {
    for (const Window& now : TRY(windows_.list(deadline))) {
      if (now.id == window.id) window = now;
    }
    return window.focused;
  });
  static_cast<void>(focused);
  return window;
}

Result<std::optional<Window>> AppLauncher::await_window(const Awaited& awaited, LaunchedProgram program,
                                                        Deadline deadline, std::stop_token stop) {
  const DesktopEntry& entry = awaited.entry;
  const std::string program_file = program_of(entry, desktop_.environment);
  const std::string file = awaited.asked.file.substr(awaited.asked.file.rfind('/') + 1);
  std::optional<Window> found;
  const auto look = [&]() -> Result<bool> {
    for (const Window& window : TRY(windows_.list(deadline))) {
      const auto old = std::ranges::find(awaited.before, window.id, &Window::id);
      const bool is_new = old == awaited.before.end();
      if (is_new && (belongs_to(program.pid, window.pid) || has_class_of(window, entry, program_file))) found = window;
      // An app that runs already may show the file in the window that it has.
      const bool of_app = std::ranges::find(awaited.app.pids, window.pid) != awaited.app.pids.end();
      if (!is_new && !file.empty() && of_app && window.title != old->title &&
          window.title.find(file) != std::string::npos) {
        found = window;
      }
    }
    return found.has_value();
  };
  Status seen = [&] {
    const EndWatch watch(program.ended.get(), stop);
    return watch_(deadline, watch.token(), look);
  }();
  if (!seen.ok() && seen.error().code == Code::cancelled && !stop.stop_requested()) {
    const ExitStatus status = TRY(program.exit_status());
    if (!status.success()) {
      return make_error(Code::backend_error,
                        fmt::format("{} ended with {} before it showed a window.", entry.name, to_text(status)))
          .with_hint("Do not open it again unchanged; the app cannot run on this desktop as it is.")
          .with_side_effects(SideEffects::possible);
    }
    // It handed over to an instance that runs already, or left a process of its own behind.
    seen = watch_(deadline, stop, look);
  }
  if (found && !awaited.asked.raise) return found;
  if (found) return in_focus(*found, deadline, stop);
  if (!seen.ok() && seen.error().code == Code::timeout) return std::optional<Window>{};
  if (!seen.ok()) return std::move(seen.error()).with_side_effects(SideEffects::possible);
  return found;
}

}  // namespace handrail::linux_

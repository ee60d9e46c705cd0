#include "platform/linux/desktop_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "platform/linux/desktop_environment.h"
#include "platform/linux/installed_apps.h"
#include "platform/linux/session_bus.h"
#include "platform/linux/x_server.h"

namespace handrail::linux_ {
namespace {

// Not on the path: helpers of at-spi2-core, in the place of Debian or of others.
constexpr const char* kAccessibilityLaunchers[] = {
    "/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher", "/usr/lib/at-spi-bus-launcher"};

Result<std::string> accessibility_launcher() {
  for (const char* path : kAccessibilityLaunchers) {
    if (::access(path, X_OK) == 0) return std::string(path);
  }
  return make_error(Code::capability_unsupported, "The accessibility bus launcher is not installed.");
}

std::string_view package_of(Role role) {
  switch (role) {
    case Role::server: return "xvfb";
    case Role::bus: return "dbus-daemon";
    case Role::window_manager: return "openbox";
    case Role::accessibility: return "at-spi2-core";
    case Role::program: break;
  }
  return "";
}

}  // namespace

std::vector<PixelRect> side_by_side(const std::vector<Size>& screens) {
  std::vector<PixelRect> placed;
  int x = 0;
  for (const Size& size : screens) {
    placed.push_back({x, 0, size.width, size.height});
    x += size.width;
  }
  return placed;
}

DesktopSession::DesktopSession(SuperviseRequest request)
    : request_(std::move(request)), deadline_(Deadline::in(request_.patience)), cookie_(make_cookie()) {
  info_.name = request_.name;
  info_.id = request_.id;
  info_.runtime_dir = request_.runtime_dir;
  info_.home = request_.home;
  info_.home_kind = request_.home_kind;
  info_.environment = embedded_environment(request_);
  info_.xauthority = info_.environment["XAUTHORITY"];
  info_.bus_address = info_.environment["DBUS_SESSION_BUS_ADDRESS"];
  info_.screens = side_by_side(request_.screens);
  for (const PixelRect& screen : info_.screens) {
    info_.size.width += screen.width;
    info_.size.height = std::max(info_.size.height, screen.height);
  }
}

Status DesktopSession::start_part(Role role, std::vector<std::string> argv, int report) {
  SpawnOptions options;
  options.argv = std::move(argv);
  options.environment = info_.environment;
  options.cwd = info_.home;
  options.stdout_fd = log_.get();
  options.stderr_fd = log_.get();
  if (report >= 0) options.keep = {{report, 3}};
  // The server takes its lock and socket away when asked to end, not when killed.
  options.death_signal = role == Role::server ? SIGTERM : SIGKILL;
  // The launcher stores the switch in the settings of the home; a shared home must not keep it.
  if (role == Role::accessibility) options.environment["GSETTINGS_BACKEND"] = "memory";
  Result<Process> process = Process::spawn(options);
  if (!process.ok()) {
    return std::move(process.error()).with_hint(fmt::format("Install the package {}.", package_of(role)));
  }
  parts_.push_back({role, std::move(*process)});
  return {};
}

int DesktopSession::pidfd_of(Role role) const {
  for (const Part& part : parts_) {
    if (part.role == role) return part.process.pidfd();
  }
  return -1;
}

Result<std::string> DesktopSession::await_report(const Pipe& report, std::string_view part) {
  std::string line;
  while (line.empty() || line.back() != '\n') {
    if (!wait_readable(report.read.get(), deadline_).ok()) {
      return make_error(Code::timeout, fmt::format("{} was not ready in time.", part));
    }
    char buffer[256];
    const ssize_t n = ::read(report.read.get(), buffer, sizeof buffer);
    if (n <= 0) return make_error(Code::backend_error, fmt::format("{} ended while it started.", part));
    line.append(buffer, static_cast<std::size_t>(n));
  }
  line.pop_back();
  return line;
}

Status DesktopSession::start_server_and_bus(Pipe& server_report, Pipe& bus_report) {
  TRY(start_part(Role::server,
                 {"Xvfb", "-nolisten", "tcp", "-noreset", "-dpi", "96", "-s", "0", "-auth", info_.xauthority, "-screen",
                  "0", fmt::format("{}x{}x24", info_.size.width, info_.size.height), "-displayfd", "3"},
                 server_report.write.get()));
  TRY(start_part(Role::bus,
                 {"dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=" + info_.bus_address,
                  "--print-address=3"},
                 bus_report.write.get()));
  server_report.write.reset();
  bus_report.write.reset();
  return {};
}

Status DesktopSession::start_window_manager() { return start_part(Role::window_manager, {"openbox", "--sm-disable"}); }

Status DesktopSession::start(const DefineMonitors& define_monitors) {
  const std::string log_path = info_.runtime_dir + "/log";
  log_ = Fd(::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  TRY(write_xauthority(info_.xauthority, cookie_));
  const std::string launcher = TRY(accessibility_launcher());

  // The bus starts beside the server: nothing connects to it, so nothing is activated without a
  // display, and what it activates later gets the display by name.
  Pipe server_report = TRY(make_pipe());
  Pipe bus_report = TRY(make_pipe());
  TRY(start_server_and_bus(server_report, bus_report));
  TRY(await_report(bus_report, "The session bus"));
  SessionBus bus = TRY(SessionBus::connect(info_.bus_address, deadline_));
  info_.display = ":" + TRY(await_report(server_report, "The X server"));
  info_.environment["DISPLAY"] = info_.display;
  TRY(bus.set_activation_environment({{"DISPLAY", info_.display}}, deadline_));
  ::setenv("DISPLAY", info_.display.c_str(), 1);
  ::setenv("XAUTHORITY", info_.xauthority.c_str(), 1);
  // Before the window manager, so that it sees them from its first moment.
  if (info_.screens.size() > 1) TRY(define_monitors(info_.display, info_.screens));

  TRY(start_window_manager());
  TRY(start_part(Role::accessibility, {launcher, "--launch-immediately"}));
  TRY(bus.wait_for_name("org.a11y.Bus", pidfd_of(Role::accessibility), deadline_));
  TRY(bus.switch_accessibility(true, deadline_));
  info_.accessibility_address = TRY(bus.accessibility_bus(deadline_));
  TRY(wait_for_window_manager(info_.display, cookie_, pidfd_of(Role::window_manager), deadline_));
  for (const auto& argv : request_.apps) TRY(start_program({.argv = argv}));

  for (const Part& part : parts_) {
    const auto facts = process_facts(part.process.pid());
    if (part.role == Role::server && facts) info_.server = facts->id;
  }
  return {};
}

Result<pid_t> DesktopSession::start_program(const ProgramRequest& request) {
  SpawnOptions options;
  options.argv = TRY(command_or_app(request.argv, info_.environment));
  options.environment = info_.environment;
  options.cwd = request.cwd.empty() ? info_.home : request.cwd;
  if (request.streams.size() == 3) {
    options.stdin_fd = request.streams[0];
    options.stdout_fd = request.streams[1];
    options.stderr_fd = request.streams[2];
  }
  options.leads = Leads::session;
  options.death_signal = SIGKILL;
  parts_.push_back({Role::program, TRY(Process::spawn(options))});
  return parts_.back().process.pid();
}

}  // namespace handrail::linux_

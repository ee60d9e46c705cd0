#include "app/desk.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <mutex>

#include "base/log.h"
#include "base/process.h"
#include "computer/local_computer.h"
#include "platform/linux/app_launcher.h"
#include "platform/linux/desktop.h"
#include "platform/x11/backend.h"

extern char** environ;

namespace handrail::app {
namespace {

Environment own_environment() {
  Environment own;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) own.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return own;
}

Result<Size> parse_size(const std::string& text) {
  int width = 0, height = 0, used = 0;
  const bool read = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &used) == 2;
  if (!read || static_cast<std::size_t>(used) != text.size() || width < 160 || height < 120 || width > 8192 ||
      height > 8192) {
    return make_error(Code::argument_invalid, fmt::format("The size is `{}`.", text))
        .with_field("size", "WIDTHxHEIGHT from 160x120 to 8192x8192, such as 1280x800");
  }
  return Size{width, height};
}

// An embedded desktop of our own, started anew when it was lost.
class OwnDesktop {
 public:
  explicit OwnDesktop(Size size) { options_.screens = {size}; }

  // The display to connect to; starts the desktop when there is none or its server has gone.
  Result<std::string> display() {
    const std::lock_guard lock(mutex_);
    if (desktop_ && !linux_::find_desktop(desktop_->info().name).ok()) {
      log(LogLevel::warning, "the embedded desktop was lost; starting a new one");
      desktop_.reset();
    }
    if (!desktop_) {
      options_.name = fmt::format("mcp-{}-{}", ::getpid(), ++started_);
      desktop_.emplace(TRY(linux_::EmbeddedDesktop::start(options_)));
      ::setenv("XAUTHORITY", desktop_->info().xauthority.c_str(), 1);
    }
    return desktop_->info().display;
  }

  // Programs are started on whichever desktop runs at that moment.
  Result<linux_::AppDesktop> apps() {
    TRY(display());
    const std::lock_guard lock(mutex_);
    return linux_::embedded_apps(desktop_->info());
  }

 private:
  std::mutex mutex_;
  linux_::DesktopOptions options_;
  std::optional<linux_::EmbeddedDesktop> desktop_;
  int started_ = 0;
};

// The Apps port of a desktop that may be replaced: asks for the launcher's desktop at each call.
class CurrentApps : public Apps {
 public:
  CurrentApps(std::shared_ptr<OwnDesktop> desktop, Windows& windows, linux_::WatchWindows watch)
      : desktop_(std::move(desktop)), windows_(windows), watch_(std::move(watch)) {}

  Result<std::vector<App>> list(Deadline deadline) override {
    linux_::AppLauncher launcher(TRY(desktop_->apps()), windows_, watch_);
    return launcher.list(deadline);
  }
  Result<OpenedApp> open(const std::string& app, Permit permit, Deadline deadline, std::stop_token stop) override {
    linux_::AppLauncher launcher(TRY(desktop_->apps()), windows_, watch_);
    return launcher.open(app, std::move(permit), deadline, stop);
  }

 private:
  std::shared_ptr<OwnDesktop> desktop_;
  Windows& windows_;
  linux_::WatchWindows watch_;
};

bool is_display(const std::string& wanted) { return wanted.find(':') != std::string::npos; }

std::unique_ptr<Computer> assemble(x11::Backend backend, std::unique_ptr<Apps> apps) {
  backend.ports.apps = std::move(apps);
  return std::make_unique<LocalComputer>(std::move(backend.ports));
}

Result<Desk> open_own(const std::string& size) {
  auto own = std::make_shared<OwnDesktop>(TRY(parse_size(size)));
  const std::string display = TRY(own->display());
  x11::Backend backend = x11::make_backend([own] { return own->display(); });
  auto apps = std::make_unique<CurrentApps>(own, *backend.ports.windows, backend.watch_windows);
  return Desk{assemble(std::move(backend), std::move(apps)), "a new embedded desktop on " + display, true};
}

Result<Desk> open_running(const std::string& name) {
  const linux_::DesktopInfo info = TRY(linux_::find_desktop(name));
  ::setenv("XAUTHORITY", info.xauthority.c_str(), 1);
  x11::Backend backend = x11::make_backend([display = info.display]() -> Result<std::string> { return display; });
  auto apps =
      std::make_unique<linux_::AppLauncher>(linux_::embedded_apps(info), *backend.ports.windows, backend.watch_windows);
  return Desk{assemble(std::move(backend), std::move(apps)),
              fmt::format("embedded desktop {} on {}", info.name, info.display),
              info.home_kind == linux_::DesktopHome::private_};
}

Result<Desk> open_display(const std::string& display) {
  Environment own = own_environment();
  own["DISPLAY"] = display;
  x11::Backend backend = x11::make_backend([display]() -> Result<std::string> { return display; });
  auto apps = std::make_unique<linux_::AppLauncher>(linux_::session_desktop(own), *backend.ports.windows,
                                                    backend.watch_windows);
  return Desk{assemble(std::move(backend), std::move(apps)), "display " + display, false};
}

}  // namespace

Result<Desk> open_desk(const DeskRequest& request) {
  if (request.wanted == "embedded") return open_own(request.size);
  if (is_display(request.wanted)) return open_display(request.wanted);
  if (!request.wanted.empty()) return open_running(request.wanted);
  const char* display = std::getenv("DISPLAY");
  if (display != nullptr && *display != '\0') return open_display(display);
  return request.otherwise == DeskRequest::Otherwise::embedded ? open_own(request.size) : open_running("");
}

}  // namespace handrail::app

#include "app/desk.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "app/config.h"
#include "base/log.h"
#include "base/process.h"
#include "computer/local_computer.h"
#include "platform/atspi/accessibility.h"
#include "platform/atspi/secrets.h"
#include "platform/linux/app_launcher.h"
#include "platform/linux/desktop.h"
#include "platform/linux/identity.h"
#include "platform/linux/installed_apps.h"
#include "platform/linux/patient_files.h"
#include "platform/linux/process_table.h"
#include "platform/linux/programs.h"
#include "platform/linux/runtime_folder.h"
#include "platform/linux/service_bus.h"
#include "platform/linux/services.h"
#include "platform/linux/system.h"
#include "platform/x11/app_windows.h"
#include "platform/x11/clipboard_guard.h"
#include "platform/x11/hidden_windows.h"
#include "vision/ocr_engine.h"

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

// An embedded desktop of our own, started anew when it was lost.
class OwnDesktop {
 public:
  explicit OwnDesktop(Size size) { options_.screens = {size}; }

  // The desktop as it is now; starts it when there is none or its server has gone.
  Result<linux_::DesktopInfo> info() {
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
    return desktop_->info();
  }

  // Programs are started on whichever desktop runs at that moment.
  Result<linux_::AppDesktop> apps() { return linux_::embedded_apps(TRY(info())); }

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
  Result<AppProgram> resolve(const std::string& app, Deadline deadline) override {
    linux_::AppLauncher launcher(TRY(desktop_->apps()), windows_, watch_);
    return launcher.resolve(app, deadline);
  }
  Result<OpenedApp> open(const OpenApp& asked, Permit permit, Deadline deadline, std::stop_token stop) override {
    linux_::AppLauncher launcher(TRY(desktop_->apps()), windows_, watch_);
    return launcher.open(asked, std::move(permit), deadline, stop);
  }
  Result<App> app_for(const std::string& file, Deadline deadline) override {
    linux_::AppLauncher launcher(TRY(desktop_->apps()), windows_, watch_);
    return launcher.app_for(file, deadline);
  }
  Status end(std::int64_t pid, Permit permit, Deadline deadline) override {
    linux_::AppLauncher launcher(TRY(desktop_->apps()), windows_, watch_);
    return launcher.end(pid, std::move(permit), deadline);
  }

 private:
  std::shared_ptr<OwnDesktop> desktop_;
  Windows& windows_;
  linux_::WatchWindows watch_;
};

bool is_display(const std::string& wanted) { return wanted.find(':') != std::string::npos; }

// What is known of a desktop before anything is connected.
struct Place {
  x11::Connection::DisplaySource display;
  std::function<Result<linux_::WatchedDisplay>()> where;
  std::function<Result<std::string>()> session_bus;
  Environment environment;  // that apps there have; says where desktop entries are
  std::string told;
  bool nobodys = false;
  bool on_no_screen = false;
};

// What the display server knows of the windows that password fields are in.
atspi::WindowPlaces window_places(const x11::Backend& backend) {
  atspi::WindowPlaces places;
  auto layout = std::make_shared<x11::DisplayLayout>(backend.connection);
  places.all = [connection = backend.connection, layout]() -> Result<std::vector<atspi::AppWindow>> {
    std::vector<atspi::AppWindow> windows;
    for (const x11::AppWindow& window : TRY(x11::app_windows(*connection, *layout, Deadline::in(kBackendPatience)))) {
      windows.push_back(
          {window.pid, window.frame, window.whole, window.content, window.id, window.title, window.is_hint});
    }
    return windows;
  };
  places.scale = [layout] {
    const auto displays = layout->displays(Deadline::in(kBackendPatience));
    return displays.ok() ? displays->front().scale : 1.0;
  };
  places.changes = [screen = backend.ports.screen.get()] {
    return screen->change_count(Deadline::in(kBackendPatience));
  };
  return places;
}

// What is worth having besides the display.
std::vector<Facility> around_the_display(const Place& place, Deadline deadline) {
  const auto address = place.session_bus();
  auto bus = linux_::ServiceBus::connect(address.ok() ? *address : "", deadline);
  Facility services{"session_bus", bus.ok(), bus.ok() ? "answers" : bus.error().message,
                    bus.ok() ? "" : std::string(bus.error().next_step()), false};
  const auto offered = bus.ok() ? bus->offered("org.freedesktop.portal.Desktop", deadline) : Result<bool>(false);
  const bool there = offered.ok() && *offered;
  Facility portal{"portal", there, there ? "offered" : "nobody offers it; only Wayland sessions need it",
                  there ? "" : "sudo apt install xdg-desktop-portal", false};
  void* library = ::dlopen(vision::OcrEngine::kLibrary, RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) ::dlclose(library);
  Facility ocr{"ocr", library != nullptr, library != nullptr ? "Tesseract is installed" : "Tesseract is not installed",
               library != nullptr ? "" : "sudo apt install libtesseract5 tesseract-ocr-eng", false};
  return {std::move(services), std::move(portal), std::move(ocr)};
}

void add_session(const Place& place, x11::Backend& backend) {
  const auto state = linux_::state_folder();
  const char* system_bus = std::getenv("DBUS_SYSTEM_BUS_ADDRESS");
  linux_::SystemParts parts;
  parts.session_bus = place.session_bus;
  parts.system_bus = system_bus != nullptr && *system_bus != '\0' ? system_bus : linux_::kSystemBus;
  parts.embedded = place.on_no_screen || place.nobodys;
  parts.accessibility = state.ok() ? *state + "/accessibility.json" : "";
  auto system = std::make_unique<linux_::LinuxSystem>(std::move(parts));
  system->listen();
  backend.ports.system = std::move(system);
  backend.ports.services = std::make_unique<linux_::BusServices>(
      place.session_bus, [environment = place.environment](const std::string& id) {
        for (const linux_::DesktopEntry& entry : linux_::installed_entries(environment)) {
          if (entry.id == id) return entry.actions;
        }
        return std::string();
      });
  backend.ports.facilities = [display = std::move(backend.ports.facilities), place](Deadline deadline) {
    std::vector<Facility> found = display(deadline);
    for (Facility& each : around_the_display(place, deadline)) found.push_back(std::move(each));
    return found;
  };
}

// The desk without its apps.
Desk assemble(const Place& place, std::shared_ptr<DeskGuardian> guardian) {
  auto identities = std::make_shared<linux_::Identities>(place.environment);
  const Identify identify = [identities](std::int64_t pid) { return identities->identify(pid); };
  x11::Backend backend = x11::make_backend(place.display, {identify, guardian, linux_::is_chromium});
  backend.ports.isolation = std::make_unique<x11::X11Isolation>(
      backend.connection, guardian, identify,
      [](std::int64_t pid) { return linux_::is_ancestor(static_cast<pid_t>(pid), ::getpid()); });
  backend.ports.clipboard_guard = std::make_unique<x11::X11ClipboardGuard>(backend.connection, guardian);
  backend.ports.secrets = std::make_unique<atspi::AtspiSecrets>(place.session_bus, window_places(backend));
  backend.ports.accessibility = std::make_unique<atspi::AtspiAccessibility>(place.session_bus, window_places(backend));
  add_session(place, backend);
  Desk desk;
  desk.guardian = std::move(guardian);
  desk.claim = backend.claim;
  desk.people = backend.people;
  desk.where = place.where;
  desk.session_bus = place.session_bus;
  desk.told = place.told;
  desk.nobodys_desktop = place.nobodys;
  desk.on_no_screen = place.on_no_screen;
  desk.backend = std::move(backend);
  return desk;
}

// `home`: the private one of the desktop, or empty. Only one folder of it: what starts of itself, such as the settings
// of a shell or an app of one's own, lies beside it.
linux_::FileReach with_home(linux_::FileReach reach, const std::string& home) {
  if (home.empty()) return reach;
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::weakly_canonical(home, failed) / "files";
  if (!failed) std::filesystem::create_directory(folder, failed);
  if (!failed) reach.roots.push_back({folder.string(), true});
  return reach;
}

void finish(Desk& desk, const DeskRequest& request, std::unique_ptr<Apps> apps, Environment environment,
            const linux_::LinuxFiles::Source& reach, const std::string& scope) {
  desk.backend.ports.apps = std::move(apps);
  if (!reach().roots.empty()) {
    desk.backend.ports.files = std::make_unique<linux_::PatientFiles>(std::make_shared<linux_::LinuxFiles>(reach));
  }
  desk.backend.ports.programs = std::make_unique<linux_::LinuxPrograms>(
      linux_::LinuxPrograms::Settings{reach, request.network ? linux_::Network::shared : linux_::Network::none,
                                      [environment = std::move(environment)] { return environment; }, scope});
  desk.computer = std::make_unique<LocalComputer>(std::move(desk.backend.ports));
}

Result<Desk> open_own(const DeskRequest& request) {
  auto own = std::make_shared<OwnDesktop>(TRY(parse_desktop_size(request.size, "size")));
  const linux_::DesktopInfo first = TRY(own->info());
  const auto where = [own]() -> Result<linux_::WatchedDisplay> {
    const linux_::DesktopInfo info = TRY(own->info());
    return linux_::WatchedDisplay{info.display, info.xauthority};
  };
  auto guardian = std::make_shared<DeskGuardian>(where);
  Place place;
  place.display = [own, guardian]() -> Result<std::string> {
    const linux_::DesktopInfo info = TRY(own->info());
    guardian->moved(info.display, info.xauthority);
    return info.display;
  };
  place.where = where;
  place.session_bus = [own]() -> Result<std::string> { return TRY(own->info()).bus_address; };
  place.environment = first.environment;
  place.told = "a new embedded desktop on " + first.display;
  place.nobodys = true;
  Desk desk = assemble(place, guardian);
  finish(
      desk, request, std::make_unique<CurrentApps>(own, *desk.backend.ports.windows, desk.backend.watch_windows),
      place.environment,
      [own, reach = request.reach] {
        const auto info = own->info();
        return with_home(reach, info.ok() ? info->home : "");
      },
      linux_::embedded_apps(first).scope);
  return desk;
}

Result<Desk> open_running(const DeskRequest& request) {
  const linux_::DesktopInfo info = TRY(linux_::find_desktop(request.wanted));
  ::setenv("XAUTHORITY", info.xauthority.c_str(), 1);
  Place place;
  place.display = [display = info.display]() -> Result<std::string> { return display; };
  place.where = [info]() -> Result<linux_::WatchedDisplay> {
    return linux_::WatchedDisplay{info.display, info.xauthority};
  };
  place.session_bus = [address = info.bus_address]() -> Result<std::string> { return address; };
  place.environment = info.environment;
  place.told = fmt::format("embedded desktop {} on {}", info.name, info.display);
  place.nobodys = info.home_kind == linux_::DesktopHome::private_;
  place.on_no_screen = true;
  Desk desk = assemble(place, std::make_shared<DeskGuardian>(place.where));
  finish(
      desk, request,
      std::make_unique<linux_::AppLauncher>(linux_::embedded_apps(info), *desk.backend.ports.windows,
                                            desk.backend.watch_windows),
      place.environment, [reach = with_home(request.reach, place.nobodys ? info.home : "")] { return reach; },
      linux_::embedded_apps(info).scope);
  return desk;
}

Result<Desk> open_display(const DeskRequest& request, const std::string& display) {
  Environment own = own_environment();
  own["DISPLAY"] = display;
  Place place;
  place.display = [display]() -> Result<std::string> { return display; };
  place.where = [display, own]() -> Result<linux_::WatchedDisplay> {
    const auto authority = own.find("XAUTHORITY");
    return linux_::WatchedDisplay{display, authority == own.end() ? "" : authority->second};
  };
  place.session_bus = [own]() -> Result<std::string> {
    const auto bus = own.find("DBUS_SESSION_BUS_ADDRESS");
    if (bus != own.end()) return bus->second;
    // Where logins have it, for who was started without their environment.
    const auto runtime = own.find("XDG_RUNTIME_DIR");
    const std::string socket = runtime == own.end() ? "" : runtime->second + "/bus";
    return !socket.empty() && std::filesystem::exists(socket) ? "unix:path=" + socket : "";
  };
  place.environment = own;
  place.told = "display " + display;
  Desk desk = assemble(place, std::make_shared<DeskGuardian>(place.where));
  finish(
      desk, request,
      std::make_unique<linux_::AppLauncher>(linux_::session_desktop(own), *desk.backend.ports.windows,
                                            desk.backend.watch_windows),
      place.environment, [reach = request.reach] { return reach; }, "");
  return desk;
}

}  // namespace

Result<Desk> open_desk(const DeskRequest& request) {
  if (request.wanted == "embedded") return open_own(request);
  if (is_display(request.wanted)) return open_display(request, request.wanted);
  if (!request.wanted.empty()) return open_running(request);
  const char* display = std::getenv("DISPLAY");
  if (display != nullptr && *display != '\0') return open_display(request, display);
  return request.otherwise == DeskRequest::Otherwise::embedded ? open_own(request) : open_running(request);
}

}  // namespace handrail::app

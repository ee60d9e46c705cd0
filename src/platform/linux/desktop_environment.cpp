#include "platform/linux/desktop_environment.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "platform/linux/toolkit_needs.h"

namespace handrail::linux_ {
namespace {

constexpr const char* kPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games";

constexpr std::array kHomeFolders{
    std::pair{"XDG_CONFIG_HOME", "/.config"},
    std::pair{"XDG_DATA_HOME", "/.local/share"},
    std::pair{"XDG_STATE_HOME", "/.local/state"},
    std::pair{"XDG_CACHE_HOME", "/.cache"},
};

// A session is found through these; loader, toolkit and language overrides are left out.
constexpr std::array<std::string_view, 22> kSessionNames{"HOME",
                                                         "USER",
                                                         "LOGNAME",
                                                         "SHELL",
                                                         "PATH",
                                                         "LANG",
                                                         "LC_ALL",
                                                         "LANGUAGE",
                                                         "TZ",
                                                         "DISPLAY",
                                                         "XAUTHORITY",
                                                         "WAYLAND_DISPLAY",
                                                         "XDG_RUNTIME_DIR",
                                                         "XDG_CONFIG_HOME",
                                                         "XDG_DATA_HOME",
                                                         "XDG_STATE_HOME",
                                                         "XDG_CACHE_HOME",
                                                         "XDG_DATA_DIRS",
                                                         "XDG_CONFIG_DIRS",
                                                         "XDG_SESSION_TYPE",
                                                         "XDG_CURRENT_DESKTOP",
                                                         "DBUS_SESSION_BUS_ADDRESS"};

std::string user_name() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_name;
  return std::to_string(::geteuid());
}

}  // namespace

Environment embedded_base(const Environment& own, const std::string& home, DesktopHome kind) {
  const std::string user = user_name();
  Environment base{{"HOME", home}, {"USER", user}, {"LOGNAME", user}};
  for (const auto& [name, below] : kHomeFolders) {
    const auto given = own.find(name);
    base[name] = kind == DesktopHome::shared && given != own.end() ? given->second : home + below;
  }
  if (const auto zone = own.find("TZ"); zone != own.end()) base["TZ"] = zone->second;
  return base;
}

Environment embedded_environment(const SuperviseRequest& request) {
  Environment environment = request.base;
  environment.insert({{"PATH", kPath},
                      {"LANG", "C.UTF-8"},
                      {"LC_ALL", "C.UTF-8"},
                      {"XDG_RUNTIME_DIR", request.runtime_dir},
                      {"XDG_DATA_DIRS", "/usr/local/share:/usr/share"},
                      {"XDG_CONFIG_DIRS", "/etc/xdg"},
                      {"XDG_SESSION_TYPE", "x11"},
                      {"XDG_CURRENT_DESKTOP", "openbox"},
                      {"XAUTHORITY", request.runtime_dir + "/xauthority"},
                      {"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + request.runtime_dir + "/bus"},
                      // A mount below the runtime folder would outlive a killed desktop.
                      {"GVFS_DISABLE_FUSE", "1"}});
  environment.insert(accessibility_variables().begin(), accessibility_variables().end());
  const std::string marker = marker_entry(request.name, request.id);
  const std::size_t equals = marker.find('=');
  environment[marker.substr(0, equals)] = marker.substr(equals + 1);
  return environment;
}

Environment scrubbed_environment(const Environment& own) {
  Environment environment;
  for (const auto& [name, value] : own) {
    if (std::ranges::find(kSessionNames, name) != kSessionNames.end()) environment[name] = value;
  }
  environment.insert({"PATH", kPath});
  environment.insert(accessibility_variables().begin(), accessibility_variables().end());
  return environment;
}

}  // namespace handrail::linux_

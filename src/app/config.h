// The owner's settings: a TOML file in the XDG config folder. The agent cannot reach it. A file that
// cannot be read or says something unknown stops the program with the place at fault.
#pragma once

#include <string>
#include <vector>

#include "actions/access.h"
#include "base/result.h"
#include "describe/model_names.h"
#include "vision/sizing.h"

namespace handrail::app {

struct DesktopSettings {
  std::string size = "1280x800";
};

struct Config {
  bool enabled = true;
  Basis coordinates = Basis::pixels;
  vision::Tier images = vision::Tier::standard;
  std::vector<AppRequest> grants;
  std::vector<std::string> deny;
  bool clipboard_read = false;
  bool clipboard_write = false;
  bool system_keys = false;
  DesktopSettings desktop;
};

// $HANDRAIL_CONFIG, else $XDG_CONFIG_HOME/handrail/config.toml, else ~/.config/handrail/config.toml.
std::string config_path();
// The defaults when the default file does not exist. A file that was named, or that is there and cannot be
// read, is an error: an owner's rule must not get lost.
Result<Config> load_config(const std::string& path);
Result<Config> parse_config(std::string_view toml, const std::string& path);
Json config_schema();

}  // namespace handrail::app

namespace handrail::describe {

template <>
struct Names<vision::Tier> {
  static constexpr std::array list{Name{vision::Tier::standard, "standard"},
                                   Name{vision::Tier::high_resolution, "high_resolution"}};
};
template <>
struct Fields<app::DesktopSettings> {
  using T = app::DesktopSettings;
  static constexpr auto list = std::tuple{
      field("size", &T::size, "Size of the embedded desktop, such as 1280x800.", between(3, 20)),
  };
};
template <>
struct Fields<app::Config> {
  using T = app::Config;
  static constexpr auto list = std::tuple{
      field("enabled", &T::enabled, "false switches Handrail off."),
      field("coordinates", &T::coordinates, "Units in which the classic tools take coordinates."),
      field("images", &T::images, "Sizing rule for pictures."),
      field("grants", &T::grants, "Apps granted without asking, each with `app` and `tier`.", between(0, 1000)),
      field("deny", &T::deny, "Apps that are never granted.", between(0, 1000)),
      field("clipboard_read", &T::clipboard_read, "The clipboard may be read without asking."),
      field("clipboard_write", &T::clipboard_write, "The clipboard may be written without asking."),
      field("system_keys", &T::system_keys, "Keys that switch or quit apps may be used without asking."),
      field("desktop", &T::desktop, "The embedded desktop."),
  };
};

}  // namespace handrail::describe

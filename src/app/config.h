// The owner's settings: a TOML file in the XDG config folder. The agent cannot reach it. A file that
// cannot be read or says something unknown stops the program with the place at fault.
#pragma once

#include <string>
#include <vector>

#include "actions/access.h"
#include "base/result.h"
#include "describe/model_names.h"
#include "policy/app_catalog.h"
#include "vision/sizing.h"

namespace handrail::app {

struct DesktopSettings {
  std::string size = "1280x800";
};

// The owner's word on one app, beyond the catalogue.
struct AppRule {
  std::string app;
  GrantTier most = GrantTier::full;
  bool deny = false;
};

struct BudgetSettings {
  int calls = 0;
  int keystrokes = 0;
  int seconds = 0;
  int calls_per_minute = 0;
};

enum class RootAccess { read, write };

struct FileRootSetting {
  std::string path;
  RootAccess access = RootAccess::read;
};

struct FileSettings {
  bool allow = false;
  std::vector<FileRootSetting> roots;
  int write_quota_mb = 100;
};

struct ProgramSettings {
  bool allow = false;
  bool network = false;
};

// What the classic tools can be told coordinates in.
enum class CoordinateUnits { pixels, normalized_0_100, normalized_0_1000 };
constexpr Basis basis_of(CoordinateUnits units) {
  if (units == CoordinateUnits::pixels) return Basis::pixels;
  return units == CoordinateUnits::normalized_0_100 ? Basis::normalized_0_100 : Basis::normalized_0_1000;
}

enum class IsolationSetting { mask, hide };
enum class AskBy { client, dialog, terminal };

struct Config {
  bool enabled = true;
  CoordinateUnits coordinates = CoordinateUnits::pixels;
  vision::Tier images = vision::Tier::standard;
  std::vector<AppRequest> grants;
  std::vector<std::string> deny;
  std::vector<AppRule> apps;
  bool clipboard_read = false;
  bool clipboard_write = false;
  bool system_keys = false;
  bool stale_pixels = true;
  IsolationSetting isolation = IsolationSetting::mask;
  int person_pause_ms = 1000;
  int idle_seconds = 120;
  int consent_seconds = 60;
  std::vector<AskBy> ask_by{AskBy::client, AskBy::dialog, AskBy::terminal};
  std::string panic_chord = "ctrl+alt+Escape";
  std::optional<std::vector<double>> region;
  BudgetSettings budget;
  FileSettings files;
  ProgramSettings programs;
  DesktopSettings desktop;
};

// `apps` and `deny` together, as the gates read them.
std::vector<policy::OwnerRule> owner_rules(const Config& config);

// $HANDRAIL_CONFIG, else $XDG_CONFIG_HOME/handrail/config.toml, else ~/.config/handrail/config.toml.
std::string config_path();
// The defaults when the default file does not exist. A file that was named, or that is there and cannot be
// read, is an error: an owner's rule must not get lost.
Result<Config> load_config(const std::string& path);
Result<Config> parse_config(std::string_view toml, const std::string& path);
Json config_schema();
// "1280x800"; what a size is wanted for names it in the error.
Result<Size> parse_desktop_size(const std::string& text, const std::string& field);
// What can be read and yet is hardly meant, a sentence each: folders that are not there, apps that nobody installed.
std::vector<std::string> config_doubts(const Config& config);

// Why the owner's settings keep it off; empty when they do not. No running command lifts this.
std::string off_by_settings(const Config& config);

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
struct Names<app::CoordinateUnits> {
  using U = app::CoordinateUnits;
  static constexpr std::array list{Name{U::pixels, "pixels"}, Name{U::normalized_0_100, "normalized_0_100"},
                                   Name{U::normalized_0_1000, "normalized_0_1000"}};
};
template <>
struct Names<app::RootAccess> {
  static constexpr std::array list{Name{app::RootAccess::read, "read"}, Name{app::RootAccess::write, "write"}};
};
template <>
struct Fields<app::FileRootSetting> {
  using T = app::FileRootSetting;
  static constexpr std::string_view example = R"({ path = "/home/me/work", access = "read" })";
  static constexpr auto list = std::tuple{
      needed("path", &T::path, "Absolute path of a folder.", between(1, 4000)),
      field("access", &T::access, "read, or write for both."),
  };
};
template <>
struct Fields<app::FileSettings> {
  using T = app::FileSettings;
  static constexpr auto list = std::tuple{
      field("allow", &T::allow, "Files in these folders may be used without asking."),
      field("roots", &T::roots, "Folders that files may be used in; relative paths start from the first.",
            between(0, 100)),
      field("write_quota_mb", &T::write_quota_mb, "What one session may write in all, in megabytes.",
            between(0, 1000000)),
  };
};
template <>
struct Fields<app::ProgramSettings> {
  using T = app::ProgramSettings;
  static constexpr auto list = std::tuple{
      field("allow", &T::allow, "Commands and scripts may be run without asking, in their sandbox."),
      field("network", &T::network,
            "What is run there may use the network, and with it an X display that lets this user in."),
  };
};
template <>
struct Names<app::IsolationSetting> {
  static constexpr std::array list{Name{app::IsolationSetting::mask, "mask"},
                                   Name{app::IsolationSetting::hide, "hide"}};
};
template <>
struct Names<app::AskBy> {
  static constexpr std::array list{Name{app::AskBy::client, "client"}, Name{app::AskBy::dialog, "dialog"},
                                   Name{app::AskBy::terminal, "terminal"}};
};
template <>
struct Fields<app::AppRule> {
  using T = app::AppRule;
  static constexpr auto list = std::tuple{
      needed("app", &T::app, "Desktop id, class, Flatpak or snap id, or path of the executable.", between(1, 200)),
      field("most", &T::most, "The most that an agent can be granted of it."),
      field("deny", &T::deny, "true: it is never granted."),
  };
};
template <>
struct Fields<app::BudgetSettings> {
  using T = app::BudgetSettings;
  static constexpr auto list = std::tuple{
      field("calls", &T::calls, "Calls of one session; 0 is no limit.", between(0, 1000000000)),
      field("keystrokes", &T::keystrokes, "Keys of one session; 0 is no limit.", between(0, 1000000000)),
      field("seconds", &T::seconds, "Length of one session; 0 is no limit.", between(0, 1000000000)),
      field("calls_per_minute", &T::calls_per_minute, "Calls in any minute; 0 is no limit.", between(0, 1000000)),
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
      field("apps", &T::apps, "Apps whose highest tier is other than the built-in list says.", between(0, 1000)),
      field("clipboard_read", &T::clipboard_read, "The clipboard may be read without asking."),
      field("clipboard_write", &T::clipboard_write, "The clipboard may be written without asking."),
      field("system_keys", &T::system_keys, "Keys that switch or quit apps may be used without asking."),
      field("stale_pixels", &T::stale_pixels, "Refuse to click where the screen has changed since the screenshot."),
      field("isolation", &T::isolation, "mask leaves other apps out of pictures, hide also minimises them meanwhile."),
      field("person_pause_ms", &T::person_pause_ms,
            "How long a person who uses mouse or keyboard is left alone, in milliseconds; 0 switches it off.",
            between(0, 600000)),
      field("idle_seconds", &T::idle_seconds, "After so long without a call the desktop is given back.",
            between(1, 86400)),
      field("consent_seconds", &T::consent_seconds, "How long a person has to answer a question.", between(1, 3600)),
      field("ask_by", &T::ask_by, "Ways to ask a person, of which the first that is there is used, in this order.",
            between(0, 3)),
      field("panic_chord", &T::panic_chord, "Keys on the person's own keyboard that stop everything; empty for none.",
            between(0, 60)),
      field("region", &T::region, "The only part of the desktop that may be touched: x, y, width, height.",
            between(4, 4)),
      field("budget", &T::budget, "Limits of one session."),
      field("files", &T::files, "Files that may be used."),
      field("programs", &T::programs, "Commands and scripts."),
      field("desktop", &T::desktop, "The embedded desktop."),
  };
};

}  // namespace handrail::describe

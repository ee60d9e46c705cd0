// Opening and listing apps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "model/desktop.h"

namespace handrail::actions {

struct OpenApplication {
  std::string app;
  std::string file;
  bool behind = false;
};

// The app must be named, or the file that one is to be found for.
Status check(const OpenApplication& open);

struct ActivateApp {
  std::string app;
  bool raise = false;
};

struct OneApp {
  std::string app;
};

struct QuitApp {
  std::string app;
  bool force = false;
};

struct QuitResult {
  std::string app;
  bool closed = false;
  int windows_left = 0;
  std::string dialog;
  std::vector<std::string> buttons;
};

struct OpenResult {
  std::string app;
  std::int64_t window = 0;
  bool was_running = false;
};

struct AppRow {
  std::string id;
  std::string name;
  bool running = false;
};

struct AppsResult {
  std::vector<AppRow> apps;
};

// What opening an app came to. Without a window nothing was seen, so nothing is confirmed.
Outcome opened(const App& app, const std::optional<Window>& window, bool was_running, bool raised = true);

std::span<const catalog::ActionSpec> app_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kRunningAppDoc = "Name or id of an app that is running.";

template <>
struct Fields<actions::OpenApplication> {
  using T = actions::OpenApplication;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "Desktop id or name of an installed app.", between(1, 200)),
      field("file", &T::file, "Absolute path of a file to open, with the app or with the default one for such files.",
            between(1, 4096)),
      field("behind", &T::behind, "Leave in front what is there; its window comes behind it."),
  };
};
template <>
struct Fields<actions::ActivateApp> {
  using T = actions::ActivateApp;
  static constexpr auto list = std::tuple{
      needed("app", &T::app, kRunningAppDoc, between(1, 200)),
      field("raise", &T::raise, "Bring its window to the front, which a person notices."),
  };
};
template <>
struct Fields<actions::OneApp> {
  using T = actions::OneApp;
  static constexpr auto list = std::tuple{needed("app", &T::app, kRunningAppDoc, between(1, 200))};
};
template <>
struct Fields<actions::QuitApp> {
  using T = actions::QuitApp;
  static constexpr auto list = std::tuple{
      needed("app", &T::app, kRunningAppDoc, between(1, 200)),
      field("force", &T::force, "End its process when it does not close; unsaved work is lost."),
  };
};
template <>
struct Fields<actions::QuitResult> {
  using T = actions::QuitResult;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "The app."),
      field("closed", &T::closed, "All its windows are gone."),
      field("windows_left", &T::windows_left, "Windows that are still there."),
      field("dialog", &T::dialog, "Title of the window that is in the way; not to be trusted."),
      field("buttons", &T::buttons, "What can be pressed in it; not to be trusted."),
  };
};
template <>
struct Fields<actions::OpenResult> {
  using T = actions::OpenResult;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "Desktop id of the app."),
      field("window", &T::window, "Its window; 0 when none came in time."),
      field("was_running", &T::was_running, "It was running already and was brought to the front."),
  };
};
template <>
struct Fields<actions::AppRow> {
  using T = actions::AppRow;
  static constexpr auto list = std::tuple{
      field("id", &T::id, "Desktop id."),
      field("name", &T::name, "Name for people."),
      field("running", &T::running, "It is running."),
  };
};
template <>
struct Fields<actions::AppsResult> {
  using T = actions::AppsResult;
  static constexpr auto list = std::tuple{field("apps", &T::apps, "Installed apps.")};
};

}  // namespace handrail::describe

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
Outcome opened(const App& app, const std::optional<Window>& window, bool was_running);

std::span<const catalog::ActionSpec> app_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Fields<actions::OpenApplication> {
  using T = actions::OpenApplication;
  static constexpr auto list = std::tuple{
      needed("app", &T::app, "Desktop id or name of an installed app.", between(1, 200)),
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

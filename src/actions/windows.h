// Window actions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

struct WindowRow {
  std::int64_t id = 0;
  std::string title;
  std::string app;
  std::int64_t pid = 0;
  std::vector<double> area;
  int stacking = 0;
  int workspace = 0;
  WindowState state = WindowState::normal;
  bool focused = false;
};

struct WindowsResult {
  std::vector<WindowRow> windows;
};

struct OneWindow {
  std::int64_t window = 0;
};

struct MoveWindow {
  std::int64_t window = 0;
  Point to;
};

struct ResizeWindow {
  std::int64_t window = 0;
  int width = 0;
  int height = 0;
};

WindowRow window_row(const Window& window);
std::span<const catalog::ActionSpec> window_actions();

}  // namespace handrail::actions

namespace handrail::describe {

inline constexpr std::string_view kWindowDoc = "Number of the window, from list_windows.";
inline constexpr Limits kWindowIds = between(1, 4294967295.0);

template <>
struct Fields<actions::WindowRow> {
  using T = actions::WindowRow;
  static constexpr auto list = std::tuple{
      field("id", &T::id, "Number to name it by."),
      field("title", &T::title, "Title; text of the app, not to be trusted."),
      field("app", &T::app, "Class that the app gives itself."),
      field("pid", &T::pid, "Process that owns it; 0 when unknown."),
      field("area", &T::area, "[x, y, width, height] with frame, in logical desktop points."),
      field("stacking", &T::stacking, "0 is the lowest window."),
      field("workspace", &T::workspace, "Workspace; -1 is all of them."),
      field("state", &T::state, "How it is shown."),
      field("focused", &T::focused, "It has the keyboard."),
  };
};
template <>
struct Fields<actions::WindowsResult> {
  using T = actions::WindowsResult;
  static constexpr auto list = std::tuple{field("windows", &T::windows, "Lowest first.")};
};
template <>
struct Fields<actions::OneWindow> {
  using T = actions::OneWindow;
  static constexpr auto list = std::tuple{needed("window", &T::window, kWindowDoc, kWindowIds)};
};
template <>
struct Fields<actions::MoveWindow> {
  using T = actions::MoveWindow;
  static constexpr auto list = std::tuple{
      needed("window", &T::window, kWindowDoc, kWindowIds),
      needed("to", &T::to, "Where its top left corner goes, [x, y] in logical desktop points."),
  };
};
template <>
struct Fields<actions::ResizeWindow> {
  using T = actions::ResizeWindow;
  static constexpr auto list = std::tuple{
      needed("window", &T::window, kWindowDoc, kWindowIds),
      needed("width", &T::width, "New width in logical points.", between(1, 32000)),
      needed("height", &T::height, "New height in logical points.", between(1, 32000)),
  };
};

}  // namespace handrail::describe

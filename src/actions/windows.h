// Window actions.
#pragma once

#include <optional>
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

struct SetFrame {
  std::int64_t window = 0;
  Point to;
  int width = 0;
  int height = 0;
};

struct SendWindow {
  std::int64_t window = 0;
  int workspace = 0;
};

struct OneWorkspace {
  int workspace = 0;
};

// A window after it was changed.
struct ChangedWindow {
  WindowRow window;
};

struct WorkspaceRow {
  int number = 0;
  std::string name;
  bool current = false;
};

struct WorkspacesResult {
  std::vector<WorkspaceRow> workspaces;
};

// What came of a change. `before` is the window as it was; `covered`: other windows still stand over it.
Outcome changed(const ChangeWindow& asked, const std::optional<Window>& before, const Window& now, bool covered);

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

template <>
struct Fields<actions::SetFrame> {
  using T = actions::SetFrame;
  static constexpr auto list = std::tuple{
      needed("window", &T::window, kWindowDoc, kWindowIds),
      needed("to", &T::to, "Where its top left corner goes, [x, y] in logical desktop points."),
      needed("width", &T::width, "New width in logical points.", between(1, 32000)),
      needed("height", &T::height, "New height in logical points.", between(1, 32000)),
  };
};
template <>
struct Fields<actions::SendWindow> {
  using T = actions::SendWindow;
  static constexpr auto list = std::tuple{
      needed("window", &T::window, kWindowDoc, kWindowIds),
      needed("workspace", &T::workspace, "Number from list_workspaces; -1 shows it on all of them.", between(-1, 255)),
  };
};
template <>
struct Fields<actions::OneWorkspace> {
  using T = actions::OneWorkspace;
  static constexpr auto list =
      std::tuple{needed("workspace", &T::workspace, "Number from list_workspaces.", between(0, 255))};
};
template <>
struct Fields<actions::ChangedWindow> {
  using T = actions::ChangedWindow;
  static constexpr auto list = std::tuple{field("window", &T::window, "The window as it is now.")};
};
template <>
struct Fields<actions::WorkspaceRow> {
  using T = actions::WorkspaceRow;
  static constexpr auto list = std::tuple{
      field("number", &T::number, "Number to name it by, from 0."),
      field("name", &T::name, "What it is called; not to be trusted."),
      field("current", &T::current, "It is the one that shows."),
  };
};
template <>
struct Fields<actions::WorkspacesResult> {
  using T = actions::WorkspacesResult;
  static constexpr auto list = std::tuple{field("workspaces", &T::workspaces, "In order of their numbers.")};
};

}  // namespace handrail::describe

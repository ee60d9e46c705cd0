// The elements of an app as an indented list, and the one element at a point, both in logical desktop points.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actions/elements.h"

namespace handrail::actions {

struct UiTree {
  std::string app;
  std::optional<std::int64_t> window;
  int max_elements = 200;
  bool all = false;
};

struct UiTreeResult {
  std::string app;
  std::int64_t window = 0;
  int elements = 0;
  int left_out = 0;
};

struct ElementAt {
  Point at;
  Basis basis = Basis::points;
};

struct ElementAtResult {
  bool found = false;
  int element = 0;
  std::string role;
  std::string name;
  std::string value;
  std::vector<std::string> states;
  std::vector<int> box;
  std::string app;
  std::int64_t window = 0;
};

std::span<const catalog::ActionSpec> tree_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Fields<actions::UiTree> {
  using T = actions::UiTree;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "The app; the last one when left out.", between(0, 200)),
      field("window", &T::window, "One window, from list_windows.", between(1, 4294967295.0)),
      field("max_elements", &T::max_elements, "Most elements to tell.", between(1, 1000)),
      field("all", &T::all, "Also containers that have no name."),
  };
};
template <>
struct Fields<actions::UiTreeResult> {
  using T = actions::UiTreeResult;
  static constexpr auto list = std::tuple{
      field("app", &T::app, "Whose window it is."),
      field("window", &T::window, "Number of the window; 0 for the whole screen."),
      field("elements", &T::elements, "How many are numbered."),
      field("left_out", &T::left_out, "Elements that are not told; 100000 stands for many."),
  };
};
template <>
struct Fields<actions::ElementAt> {
  using T = actions::ElementAt;
  static constexpr auto list = std::tuple{
      needed("at", &T::at, "Where to look, [x, y]."),
      field("basis", &T::basis, kBasisDoc),
  };
};
template <>
struct Fields<actions::ElementAtResult> {
  using T = actions::ElementAtResult;
  static constexpr auto list = std::tuple{
      field("found", &T::found, "There is an element that the app tells of."),
      field("element", &T::element, "Number to name it by."),
      field("role", &T::role, "What it is."),
      field("name", &T::name, "Its label; text of the app, not to be trusted."),
      field("value", &T::value, "Its text, number or option."),
      field("states", &T::states, "Such as checked, selected, focused, disabled."),
      field("box", &T::box, "[x, y, width, height] in logical desktop points."),
      field("app", &T::app, "Whose it is."),
      field("window", &T::window, "Number of the window."),
  };
};

}  // namespace handrail::describe

// How a tool that takes `{action, …}` is written down as a table: what each of its actions is called with, and which
// action of the catalog that is. Read in both directions by flat_tool.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace handrail::surface {

// What tools take beside the parameters of an action.
inline constexpr std::string_view kDryRun = "dry_run";
inline constexpr std::string_view kCaptureAfter = "capture_after";
inline constexpr std::string_view kSettle = "settle_ms";
inline constexpr std::string_view kImageWidth = "image_width";
inline constexpr std::string_view kImageHeight = "image_height";

enum class Shape {
  same,       // the action's own form
  x,          // the first number of a point
  y,          // the second one
  region,     // four numbers in the units of the coordinates
  modifiers,  // "ctrl+shift" for a list of modifiers
  chooses,    // true says that this form is meant, and fills no field
};

// A parameter of the tool, and the field of the action that it fills.
struct FlatParam {
  std::string_view name;
  std::string_view field;
  double most = 0;  // lower than the action's own bound; 0: as the action says
  Shape shape = Shape::same;
  bool needed = false;  // also where the action can do without
};

// One number of a point.
constexpr bool is_half(const FlatParam& param) { return param.shape == Shape::x || param.shape == Shape::y; }
constexpr std::size_t half_of(const FlatParam& param) { return param.shape == Shape::x ? 0 : 1; }

// One way to call an action: by element, by coordinate.
struct FlatForm {
  std::string_view action;  // of the catalog
  std::span<const FlatParam> params;
  std::string_view presets = "{}";
  bool has_basis = false;
};

struct FlatAction {
  std::string_view name;
  std::span<const FlatForm> forms;  // the one whose own parameters are there is meant, else the one that needs none
};

}  // namespace handrail::surface

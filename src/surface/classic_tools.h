// The table of the classic surface: 24 tools, each a renaming of one action.
#pragma once

#include <span>
#include <string_view>

namespace handrail::surface {

enum class Shape {
  same,       // the action's own form
  modifiers,  // "ctrl+shift" for a list of modifiers
};

struct Param {
  std::string_view name;   // as the tool calls it
  std::string_view field;  // as the action calls it
  Shape shape = Shape::same;
  bool needed = false;  // also where the action can do without it
};

struct ClassicTool {
  std::string_view name;
  std::string_view title;
  std::string_view action;
  std::span<const Param> params;
  std::string_view presets = "{}";    // JSON: what the tool's name already says
  bool has_basis = false;             // takes coordinates in the session's units
  std::string_view description = {};  // in place of the action's summary
};

std::span<const ClassicTool> classic_tools();

}  // namespace handrail::surface

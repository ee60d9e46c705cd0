// The rows of the one universal tool: what each of its actions is called with, and which action of the catalog that is.
#pragma once

#include <span>
#include <string_view>

namespace handrail::surface {

// A parameter of the tool, and the field of the action that it fills.
struct FlatParam {
  std::string_view name;
  std::string_view field;
  double most = 0;  // lower than the action's own bound; 0: as the action says
};

// One way to call an action: by element, by coordinate.
struct FlatForm {
  std::string_view action;  // of the catalog
  std::span<const FlatParam> params;
  std::string_view presets = "{}";
  bool has_basis = false;
};

struct FlatAction {
  std::string_view name;
  std::span<const FlatForm> forms;  // the first whose needed parameters are all there is meant
};

std::span<const FlatAction> universal_actions();

}  // namespace handrail::surface

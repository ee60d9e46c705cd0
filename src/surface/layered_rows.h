// The rows of the layered tools: one tool for each thing on a desk, with what it can do as `action`.
#pragma once

#include "surface/flat_rows.h"

namespace handrail::surface {

struct LayeredTool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::span<const FlatAction> actions;
  std::string_view implied = {};  // the one action of a tool that takes none
};

std::span<const LayeredTool> layered_tools();

}  // namespace handrail::surface

// What the compact tool tells about its own actions: one line for each, with types, limits and defaults. Pure.
#pragma once

#include <string>
#include <string_view>

#include "surface/compact_rows.h"
#include "surface/flat_tool.h"

namespace handrail::surface {

// `argument_invalid` with the valid ones for a category that there is not.
Result<std::string> discover(std::string_view category, const CompactRows& rows, const FlatTool& tool);

}  // namespace handrail::surface

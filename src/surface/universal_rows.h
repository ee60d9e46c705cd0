// The rows of the one universal tool.
#pragma once

#include "surface/flat_rows.h"

namespace handrail::surface {

std::span<const FlatAction> universal_actions();

}  // namespace handrail::surface

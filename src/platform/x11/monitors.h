// Cuts the one big root of a virtual X server into several monitors. For whoever starts such servers;
// a real session's monitors are not ours to change.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/geometry.h"

namespace handrail::x11 {

// The first one becomes the primary. Uses a short connection of its own; on return every client
// sees the new monitors.
Status define_monitors(const std::string& display, const std::vector<PixelRect>& monitors);

}  // namespace handrail::x11

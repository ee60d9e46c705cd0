// What of an element shows beside the windows that lie above its own. Pure.
#pragma once

#include <span>

#include "model/desktop.h"
#include "model/element.h"

namespace handrail::actions::plan {

// The largest part of its bounds that no window above covers; empty when all of it is covered. `stack` has the windows
// that show, the lowest first. What belongs to none of them, as an open menu does, is taken as it is.
Rect uncovered(const Element& element, std::int64_t pid, std::span<const Window> stack);

}  // namespace handrail::actions::plan

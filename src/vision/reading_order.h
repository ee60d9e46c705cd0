// The order in which a person reads boxes on a screen. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/geometry.h"

namespace handrail::vision {

// The places of the boxes in the list, in rows from top to bottom, each from left to right. Boxes share a row when they
// overlap by half of the lower one's height and are of a kind in height, or begin at about the same height.
std::vector<std::size_t> reading_order(std::span<const Rect> boxes);

}  // namespace handrail::vision

// A look: what was shown to the client, and how its coordinates map back to the desktop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "model/geometry.h"

namespace handrail {

// The units in which a caller gives coordinates.
enum class Basis {
  pixels,            // of the last look's image
  normalized_0_100,  // of the last look's area
  normalized_0_1000,
  points,  // logical desktop points
};

// The transform of one look. `area` is what the image shows, in logical points.
struct Look {
  std::string id;
  int display = 0;
  Rect area;
  Size image;
  double scale = 1;          // device pixels per logical point
  std::uint64_t layout = 0;  // layout_stamp of the displays when it was taken
  TimePoint taken;
};

// A caller's coordinate as a logical point. Non-finite, negative or outside the image is
// `argument_invalid` naming `field`. Basis::points may reach beyond the look, to another display: only
// the caller, who knows the displays, can find that a point is on none.
Result<Point> to_desktop(const Look& look, Point coordinate, Basis basis, std::string_view field);
// The inverse, for replies.
Point from_desktop(const Look& look, Point point, Basis basis);

}  // namespace handrail

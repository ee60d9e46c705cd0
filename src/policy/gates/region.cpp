#include "policy/gates/region.h"

#include <fmt/format.h>

namespace handrail::policy::gates {

Verdict region(const UseFacts& facts) {
  if (!facts.region) return allow();
  for (const Point point : facts.points) {
    if (facts.region->contains(point)) continue;
    return deny(
        Code::gate_refused,
        fmt::format("The point ({:g}, {:g}) is outside the part of the desktop that may be used: ({:g}, {:g}), "
                    "{:g} by {:g}.",
                    point.x, point.y, facts.region->x, facts.region->y, facts.region->width, facts.region->height),
        "Choose a point inside it; only the owner of this desktop can change it.");
  }
  for (const Rect& frame : facts.frames) {
    if (intersect(frame, *facts.region) == frame) continue;
    return deny(
        Code::gate_refused,
        fmt::format(
            "It would be at ({:g}, {:g}), {:g} by {:g}, and not inside the part of the desktop that may be used: "
            "({:g}, {:g}), {:g} by {:g}.",
            frame.x, frame.y, frame.width, frame.height, facts.region->x, facts.region->y, facts.region->width,
            facts.region->height),
        "Choose a place and a size inside it; only the owner of this desktop can change it.");
  }
  return allow();
}

}  // namespace handrail::policy::gates

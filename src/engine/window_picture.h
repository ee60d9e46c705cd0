// Pictures of a window that are compared with later ones.
#pragma once

#include <optional>

#include "computer/computer.h"

namespace handrail::engine {

// Nothing when it cannot be had. May be a lease of a buffer that the next capture writes to.
std::optional<Capture> picture_of(Computer& computer, std::optional<WindowId> window);
Capture own_copy(const Capture& taken);

// Pixels of a frame.
struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
};
// Where a part of the desktop is in the picture.
Box box_in(const Capture& taken, const Rect& bounds);

// How two pictures of a window differ.
struct Difference {
  bool inside = false;   // the box
  bool outside = false;  // in the rest, or in size and place
};
Difference difference(const Capture& before, const Capture& now, const Box& box);

// Of one process, in order; none when nobody tells.
std::vector<WindowId> windows_of(Computer& computer, std::int64_t pid);

}  // namespace handrail::engine

// Pictures of a window that are compared with later ones.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "computer/computer.h"

namespace handrail::engine {

// What is kept of a picture to know it again. A copy would do as well, but its fresh pages cost more than the capture.
struct PictureStamp {
  Size size;
  Rect area;
  std::array<std::uint64_t, 4> sums{};
  friend bool operator==(const PictureStamp&, const PictureStamp&) = default;
};
PictureStamp stamp_of(const Capture& taken);

// As the window looks now; nothing when that cannot be had.
std::optional<PictureStamp> stamp_of(Computer& computer, std::optional<WindowId> window);

// Of one process, in order; none when nobody tells.
std::vector<WindowId> windows_of(Computer& computer, std::int64_t pid);

}  // namespace handrail::engine

#include "model/desktop.h"

#include <cmath>
#include <cstring>

namespace handrail {

const Display* display_at(const std::vector<Display>& displays, Point point) {
  for (const Display& display : displays) {
    if (display.bounds.contains(point)) return &display;
  }
  return nullptr;
}

PixelPoint to_pixel(const Display& display, Point point) {
  const auto place = [](double value, int origin, int extent) {
    // A hair of tolerance: 1.25 * 0.8 style products must not fall into the pixel before.
    const double pixel = std::floor(value + 1e-6);
    // Bounded before it becomes an int: what does not fit one has no defined conversion.
    if (!(pixel > 0)) return origin;
    return origin + static_cast<int>(std::min<double>(pixel, std::max(0, extent - 1)));
  };
  return {place((point.x - display.bounds.x) * display.scale, display.pixels.x, display.pixels.width),
          place((point.y - display.bounds.y) * display.scale, display.pixels.y, display.pixels.height)};
}

Point to_point(const Display& display, PixelPoint pixel) {
  return {display.bounds.x + (pixel.x - display.pixels.x + 0.5) / display.scale,
          display.bounds.y + (pixel.y - display.pixels.y + 0.5) / display.scale};
}

std::uint64_t layout_stamp(const std::vector<Display>& displays) {
  std::uint64_t hash = 1469598103934665603ULL;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
  for (const Display& display : displays) {
    mix(static_cast<std::uint64_t>(display.id));
    for (const int value : {display.pixels.x, display.pixels.y, display.pixels.width, display.pixels.height}) {
      mix(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    }
    std::uint64_t scale_bits = 0;
    std::memcpy(&scale_bits, &display.scale, sizeof scale_bits);
    mix(scale_bits);
  }
  return hash;
}

}  // namespace handrail

#include "platform/x11/mask.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace handrail::x11 {
namespace {

constexpr double kFarthest = 1 << 20;  // beyond every screen, and safe as a whole number

std::uint32_t blend(std::uint32_t below, std::uint32_t over) {
  const std::uint32_t keep = 255 - (over >> 24);
  std::uint32_t out = 0;
  for (unsigned shift = 0; shift < 24; shift += 8) {
    const std::uint32_t channel = ((over >> shift) & 0xff) + (((below >> shift) & 0xff) * keep + 127) / 255;
    out |= std::min(255U, channel) << shift;
  }
  return out;
}

}  // namespace

PixelRect outer_pixels(const Rect& points, double scale) {
  const auto bounded = [](double v) { return std::isfinite(v) ? std::clamp(v, -kFarthest, kFarthest) : kFarthest; };
  const double x1 = std::floor(bounded(points.x * scale) + 1e-6), y1 = std::floor(bounded(points.y * scale) + 1e-6);
  const double x2 = std::ceil(bounded((points.x + points.width) * scale) - 1e-6);
  const double y2 = std::ceil(bounded((points.y + points.height) * scale) - 1e-6);
  return {static_cast<int>(x1), static_cast<int>(y1), static_cast<int>(x2 - x1), static_cast<int>(y2 - y1)};
}

void paint_flat(Frame& frame, const PixelRect& area, const std::vector<PixelRect>& boxes, std::uint32_t colour) {
  std::uint8_t* pixels = writable(frame);
  for (const PixelRect& box : boxes) {
    const PixelRect seen = intersect(box, area);
    for (int y = seen.y; y < seen.y + seen.height; ++y) {
      std::uint8_t* row = pixels + static_cast<std::size_t>(y - area.y) * frame.stride;
      for (int x = seen.x - area.x; x < seen.x - area.x + seen.width; ++x) std::memcpy(row + x * 4, &colour, 4);
    }
  }
}

void lay_over(Frame& frame, const PixelRect& area, const Frame& layer, const PixelRect& place,
              const std::vector<PixelRect>& above, bool with_alpha) {
  const PixelRect seen = intersect(place, area);
  std::uint8_t* pixels = writable(frame);
  std::vector<std::pair<int, int>> covered;
  for (int y = seen.y; y < seen.y + seen.height; ++y) {
    covered.clear();
    for (const PixelRect& box : above) {
      if (y >= box.y && y < box.y + box.height) covered.emplace_back(box.x, box.x + box.width);
    }
    std::uint8_t* to = pixels + static_cast<std::size_t>(y - area.y) * frame.stride;
    const std::uint8_t* from = layer.row(y - place.y);
    for (int x = seen.x; x < seen.x + seen.width; ++x) {
      const auto hit =
          std::find_if(covered.begin(), covered.end(), [x](const auto& c) { return x >= c.first && x < c.second; });
      if (hit != covered.end()) {
        x = hit->second - 1;
        continue;
      }
      std::uint32_t over = 0, below = 0;
      std::memcpy(&over, from + (x - place.x) * 4, 4);
      if (over == 0) continue;
      std::uint8_t* pixel = to + (x - area.x) * 4;
      std::memcpy(&below, pixel, 4);
      const std::uint32_t out = with_alpha ? blend(below, over) : over & 0xffffff;
      std::memcpy(pixel, &out, 4);
    }
  }
}

}  // namespace handrail::x11

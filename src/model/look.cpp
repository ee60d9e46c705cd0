#include "model/look.h"

#include <fmt/format.h>

#include <cmath>

namespace handrail {
namespace {

// The far corner of the accepted range; points have none here, the displays bound them.
Point extent(const Look& look, Basis basis) {
  switch (basis) {
    case Basis::pixels: return {static_cast<double>(look.image.width), static_cast<double>(look.image.height)};
    case Basis::normalized_0_100: return {100, 100};
    case Basis::normalized_0_1000: return {1000, 1000};
    case Basis::points: break;
  }
  return {};
}

std::string range(Basis basis, Point far) {
  if (basis == Basis::pixels) {
    return fmt::format("[x, y] with 0 <= x < {:.0f} and 0 <= y < {:.0f}, pixels of the last screenshot", far.x, far.y);
  }
  if (basis == Basis::points) return "[x, y], not negative, in logical points of the desktop";
  return fmt::format("[x, y] with 0 <= x <= {0:.0f} and 0 <= y <= {0:.0f}, parts of the screen", far.x);
}

}  // namespace

Result<Point> to_desktop(const Look& look, Point coordinate, Basis basis, std::string_view field) {
  // Normalised ranges include their end; it means the last pixel, not the one after it.
  const bool closed = basis == Basis::normalized_0_100 || basis == Basis::normalized_0_1000;
  const bool points = basis == Basis::points;
  const Point far = extent(look, basis);
  const auto inside = [closed, points](double value, double end) {
    if (!std::isfinite(value) || value < 0) return false;
    return points || (closed ? value <= end : value < end);
  };
  const bool nothing_shown = !points && look.area.empty();
  if (nothing_shown || !inside(coordinate.x, far.x) || !inside(coordinate.y, far.y)) {
    return make_error(Code::argument_invalid,
                      fmt::format("`{}` is [{:g}, {:g}], which is outside.", field, coordinate.x, coordinate.y))
        .with_field(std::string(field), range(basis, far));
  }
  if (points) return coordinate;
  const auto place = [&look](double value, double end, double origin, double length) {
    const double last = length - 0.5 / look.scale;
    return origin + std::min(value * length / end, last);
  };
  return Point{place(coordinate.x, far.x, look.area.x, look.area.width),
               place(coordinate.y, far.y, look.area.y, look.area.height)};
}

Point from_desktop(const Look& look, Point point, Basis basis) {
  if (basis == Basis::points) return point;
  const Point far = extent(look, basis);
  return {(point.x - look.area.x) * far.x / look.area.width, (point.y - look.area.y) * far.y / look.area.height};
}

}  // namespace handrail

#include "engine/window_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

bool same_row(const Frame& a, const Frame& b, int y, int from, int to) {
  if (from >= to) return true;
  const auto start = static_cast<std::size_t>(from) * 4;
  return std::memcmp(a.row(y) + start, b.row(y) + start, static_cast<std::size_t>(to - from) * 4) == 0;
}

}  // namespace

std::optional<Capture> picture_of(Computer& computer, std::optional<WindowId> window) {
  Screen* screen = computer.screen();
  if (screen == nullptr || !window) return std::nullopt;
  CaptureRequest request;
  request.window = window;
  auto taken = screen->capture(request, soon());
  if (!taken.ok()) return std::nullopt;
  return std::move(taken).value();
}

Capture own_copy(const Capture& taken) {
  Capture own = taken;
  own.frame = make_frame(taken.frame.size());
  std::uint8_t* out = writable(own.frame);
  for (int y = 0; y < taken.frame.height; ++y) {
    std::memcpy(out + static_cast<std::size_t>(y) * own.frame.stride, taken.frame.row(y),
                static_cast<std::size_t>(taken.frame.width) * 4);
  }
  return own;
}

Box box_in(const Capture& taken, const Rect& bounds) {
  const auto pixel = [&](double at, double from, int most) {
    return std::clamp(static_cast<int>(std::lround((at - from) * taken.scale)), 0, most);
  };
  const Rect& area = taken.area;
  const Size size = taken.frame.size();
  return {pixel(bounds.x, area.x, size.width), pixel(bounds.y, area.y, size.height),
          pixel(bounds.x + bounds.width, area.x, size.width), pixel(bounds.y + bounds.height, area.y, size.height)};
}

Difference difference(const Capture& before, const Capture& now, const Box& box) {
  const Frame &a = before.frame, &b = now.frame;
  Difference found;
  if (!(a.size() == b.size()) || !(before.area == now.area)) {
    found.outside = true;
    return found;
  }
  for (int y = 0; y < b.height && !(found.inside && found.outside); ++y) {
    const bool inside = y >= box.top && y < box.bottom;
    found.inside = found.inside || (inside && !same_row(a, b, y, box.left, box.right));
    found.outside = found.outside || !same_row(a, b, y, 0, inside ? box.left : b.width) ||
                    (inside && !same_row(a, b, y, box.right, b.width));
  }
  return found;
}

std::vector<WindowId> windows_of(Computer& computer, std::int64_t pid) {
  std::vector<WindowId> ids;
  Windows* windows = computer.windows();
  if (windows == nullptr) return ids;
  const auto list = windows->list(soon());
  if (!list.ok()) return ids;
  for (const Window& window : *list) {
    if (window.pid == pid) ids.push_back(window.id);
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace handrail::engine

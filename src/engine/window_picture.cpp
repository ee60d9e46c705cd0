#include "engine/window_picture.h"

#include <algorithm>
#include <cstring>

namespace handrail::engine {
namespace {

Deadline soon() { return Deadline::in(kBackendPatience); }

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

bool same_picture(const Capture& before, const Capture& now) {
  const Frame &a = before.frame, &b = now.frame;
  if (!(a.size() == b.size()) || !(before.area == now.area)) return false;
  const auto width = static_cast<std::size_t>(a.width) * 4;
  for (int y = 0; y < a.height; ++y) {
    if (std::memcmp(a.row(y), b.row(y), width) != 0) return false;
  }
  return true;
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

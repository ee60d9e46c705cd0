#include "engine/window_picture.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace handrail::engine {
namespace {

constexpr std::size_t kPixel = 4;
constexpr std::size_t kBlock = 32;

Deadline soon() { return Deadline::in(kBackendPatience); }

// Each step can be undone, so a single word that differs always shows; four sums side by side keep the processor busy.
void add(std::array<std::uint64_t, 4>& sums, const std::uint8_t* bytes, std::size_t count) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::array<std::uint64_t, 4> words{};
  std::memcpy(words.data(), bytes, count);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = std::rotl((sums[i] ^ words[i]) * kOdd, 29);
}

}  // namespace

PictureStamp stamp_of(const Capture& taken) {
  PictureStamp stamp{taken.frame.size(), taken.area, {1, 2, 3, 4}};
  const auto width = static_cast<std::size_t>(taken.frame.width) * kPixel;
  for (int y = 0; y < taken.frame.height; ++y) {
    const std::uint8_t* row = taken.frame.row(y);
    std::size_t x = 0;
    for (; x + kBlock <= width; x += kBlock) add(stamp.sums, row + x, kBlock);
    add(stamp.sums, row + x, width - x);
  }
  return stamp;
}

std::optional<PictureStamp> stamp_of(Computer& computer, std::optional<WindowId> window) {
  Screen* screen = computer.screen();
  if (screen == nullptr || !window) return std::nullopt;
  CaptureRequest request;
  request.window = window;
  const auto taken = screen->capture(request, soon());
  if (!taken.ok()) return std::nullopt;
  return stamp_of(*taken);
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

#include "engine/stale_pixels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace handrail::engine {
namespace {

// The patch that a click hits, and what names it: labels stand beside or around the point.
constexpr int kPatch = 4;    // 9 by 9 samples
constexpr int kAround = 48;  // points to each side
constexpr int kAroundHigh = 16;
constexpr double kPatchShare = 0.25;  // of samples that may differ; a caret or a hover line is less
constexpr double kAroundShare = 0.05;
constexpr int kNoticeable = 24;  // of 255, in any channel

bool differs(const std::uint8_t* a, const std::uint8_t* b) {
  for (int channel = 0; channel < 3; ++channel) {
    if (std::abs(a[channel] - b[channel]) > kNoticeable) return true;
  }
  return false;
}

const std::uint8_t* pixel(const Frame& frame, int x, int y) {
  if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) return nullptr;
  return frame.pixels.get() + static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(x) * 4;
}

// The share of pixels that differ in a box around the aim; what is outside either picture does not count.
double share(const Frame& before, PixelPoint a, const Frame& now, PixelPoint b, int wide, int high) {
  int compared = 0, different = 0;
  for (int dy = -high; dy <= high; ++dy) {
    for (int dx = -wide; dx <= wide; ++dx) {
      const std::uint8_t* left = pixel(before, a.x + dx, a.y + dy);
      const std::uint8_t* right = pixel(now, b.x + dx, b.y + dy);
      if (left == nullptr || right == nullptr) continue;
      ++compared;
      if (differs(left, right)) ++different;
    }
  }
  return compared == 0 ? 0 : static_cast<double>(different) / compared;
}

PixelPoint in_frame(const Rect& area, double scale, Point at) {
  return {static_cast<int>(std::floor((at.x - area.x) * scale)), static_cast<int>(std::floor((at.y - area.y) * scale))};
}

// A picture of a window is always whole.
Capture cropped(Capture capture, const Rect& region) {
  const Rect part = intersect(capture.area, region);
  if (part.empty() || part == capture.area) return capture;
  Frame& frame = capture.frame;
  const PixelPoint first = in_frame(capture.area, capture.scale, {part.x, part.y});
  const std::size_t offset = static_cast<std::size_t>(first.y) * frame.stride + static_cast<std::size_t>(first.x) * 4;
  frame.pixels = std::shared_ptr<const std::uint8_t>(frame.pixels, frame.pixels.get() + offset);
  frame.width = std::min(frame.width - first.x, static_cast<int>(part.width * capture.scale));
  frame.height = std::min(frame.height - first.y, static_cast<int>(part.height * capture.scale));
  capture.area = {capture.area.x + first.x / capture.scale, capture.area.y + first.y / capture.scale,
                  frame.width / capture.scale, frame.height / capture.scale};
  return capture;
}

}  // namespace

Likeness compare(const Frame& before, PixelPoint a, const Frame& now, PixelPoint b) {
  if (share(before, a, now, b, kPatch, kPatch) > kPatchShare) return Likeness::patch_differs;
  if (share(before, a, now, b, kAround, kAroundHigh) > kAroundShare) return Likeness::surroundings_differ;
  return Likeness::same;
}

policy::PixelFacts compare_with_look(const SeenLook& seen, Point aim, Screen& screen, Against against,
                                     const std::function<bool(const Receiver& owner)>& shows) {
  policy::PixelFacts facts;
  // A point beyond the look (another display) has nothing to be compared with.
  if (!seen.look.area.contains(aim)) return facts;
  CaptureRequest request;
  request.display = seen.look.display;
  request.region = intersect(
      Rect{aim.x - kAround - 1, aim.y - kAroundHigh - 1, 2.0 * kAround + 3, 2.0 * kAroundHigh + 3}, seen.look.area);
  // A frame changes its looks with the focus, which earlier steps may have moved; what is around the point inside the
  // window is what names it.
  for (auto window = seen.windows.rbegin(); window != seen.windows.rend(); ++window) {
    if (!window->visible || !window->bounds.contains(aim)) continue;
    if (window->content.contains(aim)) request.region = intersect(*request.region, window->content);
    break;
  }
  request.covers = seen.covers;
  if (against == Against::own_window) request.window = seen.window;
  facts.checked = true;
  const PixelPoint aim_before = in_frame(seen.look.area, seen.look.scale, aim);
  const auto likeness = [&]() -> Result<Likeness> {
    const Capture now = cropped(TRY(screen.capture(request, Deadline::in(kBackendPatience))), *request.region);
    return compare(seen.frame, aim_before, now.frame, in_frame(now.area, now.scale, aim));
  };
  // The screen as it is costs a tenth of a masked picture. Where it shows what the look showed, nothing was masked and
  // nothing has changed; else the same picture as then is compared. Neither leaves this function.
  if (const auto plain = likeness(); plain.ok() && *plain == Likeness::same) return facts;
  request.shows = shows;
  const auto masked = likeness();
  if (masked.ok() && *masked == Likeness::same) return facts;
  facts.changed = true;
  facts.what = !masked.ok()                         ? "the screen, which cannot be read now"
               : *masked == Likeness::patch_differs ? "the picture at the point"
                                                    : "the picture around the point";
  return facts;
}

}  // namespace handrail::engine

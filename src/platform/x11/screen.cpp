#include "platform/x11/screen.h"

#include <fmt/format.h>

#include <cmath>

#include "platform/x11/capture.h"
#include "platform/x11/cursor.h"

namespace handrail::x11 {
namespace {

// The whole pixels that a region touches, inside the display.
PixelRect touched_pixels(const Display& display, const Rect& region) {
  const auto first = [&](double v) { return static_cast<int>(std::floor(v * display.scale + 1e-6)); };
  const auto last = [&](double v) { return static_cast<int>(std::ceil(v * display.scale - 1e-6)); };
  const Rect seen = intersect(region, display.bounds);
  const int x1 = first(seen.x), y1 = first(seen.y);
  return intersect(PixelRect{x1, y1, last(seen.x + seen.width) - x1, last(seen.y + seen.height) - y1}, display.pixels);
}

}  // namespace

X11Screen::X11Screen(std::shared_ptr<Connection> connection)
    : connection_(connection),
      layout_(connection),
      changes_(connection),
      windows_(*connection),
      segments_(std::make_shared<SegmentPool>()) {}

Result<std::vector<Display>> X11Screen::displays(Deadline deadline) { return layout_.displays(deadline); }

Result<Capture> X11Screen::capture(const CaptureRequest& request, Deadline deadline) {
  return connection_->call<Capture>(deadline, [&](Server& server) -> Result<Capture> {
    for (int attempt = 0;; ++attempt) {
      const std::vector<Display> displays = TRY(layout_.displays(server));
      auto captured =
          request.window ? capture_window(server, request, displays) : capture_area(server, request, displays);
      // News of a changed layout comes before the picture; what was cut out by the old one is no good.
      const std::vector<Display> now = TRY(layout_.displays(server));
      if (now == displays || attempt == 2) return captured;
    }
  });
}

Result<Capture> X11Screen::capture_area(Server& server, const CaptureRequest& request,
                                        const std::vector<Display>& displays) {
  if (request.display < 0 || request.display >= static_cast<int>(displays.size())) {
    return make_error(Code::not_found, fmt::format("There is no display {}.", request.display))
        .with_field("display", fmt::format("0 to {}", displays.size() - 1));
  }
  const Display& display = displays[static_cast<std::size_t>(request.display)];
  const PixelRect part = request.region ? touched_pixels(display, *request.region) : display.pixels;
  if (part.empty()) {
    const Rect& b = display.bounds;
    return make_error(Code::argument_invalid, "The region shows no part of the display.")
        .with_field("region",
                    fmt::format("a rectangle inside x {} to {}, y {} to {}", b.x, b.x + b.width, b.y, b.y + b.height));
  }
  Frame frame = TRY(read_pixels(server, *segments_, server.root(), server.screen()->root_depth, part));
  if (request.cursor == CursorInPicture::draw) TRY(draw_cursor(server, writable(frame), frame.stride, part));
  return Capture{std::move(frame), to_points(part, display.scale), display.scale, false};
}

Result<Capture> X11Screen::capture_window(Server& server, const CaptureRequest& request,
                                          const std::vector<Display>& displays) {
  const auto window = static_cast<xcb_window_t>(*request.window);
  if (window != *request.window) {
    return make_error(Code::not_found, fmt::format("There is no window {:#x}.", *request.window));
  }
  const WindowPixmap picture = TRY(windows_.find(server, window));
  Frame frame = TRY(
      read_pixels(server, *segments_, picture.pixmap, picture.depth, {0, 0, picture.size.width, picture.size.height}));
  const PixelRect place{picture.origin.x, picture.origin.y, picture.size.width, picture.size.height};
  if (request.cursor == CursorInPicture::draw) TRY(draw_cursor(server, writable(frame), frame.stride, place));
  const double scale = displays.front().scale;
  return Capture{std::move(frame), to_points(place, scale), scale, picture.frozen};
}

Result<Point> X11Screen::cursor(Deadline deadline) {
  return connection_->call<Point>(deadline, [this](Server& server) -> Result<Point> {
    const std::vector<Display> displays = TRY(layout_.displays(server));
    const PixelPoint pixel = TRY(cursor_position(server));
    return to_point(display_of(displays, pixel), pixel);
  });
}

Result<std::uint64_t> X11Screen::change_count(Deadline deadline) { return changes_.count(deadline); }

Result<std::uint64_t> X11Screen::wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop) {
  return changes_.wait(seen, deadline, std::move(stop));
}

}  // namespace handrail::x11

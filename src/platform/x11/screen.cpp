#include "platform/x11/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/x11/capture.h"
#include "platform/x11/cursor.h"
#include "platform/x11/mask.h"
#include "platform/x11/mask_owners.h"

namespace handrail::x11 {
namespace {

// How long a picture waits for the first painting of a window that has just appeared.
constexpr Millis kPaintPatience{400};
constexpr int kPaintRounds = 5;  // at least, however slow the machine is

// The whole pixels that a region touches, inside the display.
PixelRect touched_pixels(const Display& display, const Rect& region) {
  const auto first = [&](double v) { return static_cast<int>(std::floor(v * display.scale + 1e-6)); };
  const auto last = [&](double v) { return static_cast<int>(std::ceil(v * display.scale - 1e-6)); };
  const Rect seen = intersect(region, display.bounds);
  const int x1 = first(seen.x), y1 = first(seen.y);
  return intersect(PixelRect{x1, y1, last(seen.x + seen.width) - x1, last(seen.y + seen.height) - y1}, display.pixels);
}

void cover(Frame& frame, const PixelRect& area, const std::vector<Rect>& covers, double scale) {
  std::vector<PixelRect> boxes;
  for (const Rect& rect : covers) boxes.push_back(outer_pixels(rect, scale));
  if (!boxes.empty()) paint_flat(frame, area, boxes, kSecret);
}

int count_hidden(const std::vector<TopLevel>& tree, const PixelRect& area) {
  return static_cast<int>(std::count_if(tree.begin(), tree.end(), [&](const TopLevel& top) {
    return top.hidden && std::any_of(top.outline.begin(), top.outline.end(),
                                     [&](const PixelRect& part) { return !intersect(part, area).empty(); });
  }));
}

}  // namespace

X11Screen::X11Screen(std::shared_ptr<Connection> connection, Identify identify)
    : connection_(connection),
      layout_(connection),
      changes_(connection),
      windows_(*connection),
      identify_(std::move(identify)),
      painted_(*connection),
      segments_(std::make_shared<SegmentPool>()) {}

Result<std::vector<Display>> X11Screen::displays(Deadline deadline) { return layout_.displays(deadline); }

Result<Capture> X11Screen::capture(const CaptureRequest& request, Deadline deadline) {
  EventWatch watch(*connection_);
  const Deadline patience = deadline.within(kPaintPatience);
  for (int round = 1;; ++round) {
    Left left = Left::nothing;
    auto captured = capture_once(request, deadline, left);
    const bool enough = (patience.passed() && round >= kPaintRounds) || deadline.passed();
    if (!captured.ok() || left != Left::soon || enough) return captured;
    // Another look after the next events, or soon; whether there were any does not matter.
    int looks = 0;
    const Status waited =
        watch.until(deadline.within(Millis(20)), {}, [&looks]() -> Result<bool> { return ++looks > 1; });
    if (!waited.ok() && waited.error().code != Code::timeout) return captured;
  }
}

Result<Capture> X11Screen::capture_once(const CaptureRequest& request, Deadline deadline, Left& left) {
  return connection_->call<Capture>(deadline, [&](Server& server) -> Result<Capture> {
    for (int attempt = 0;; ++attempt) {
      const std::vector<Display> displays = TRY(layout_.displays(server));
      auto captured = request.window ? capture_window(server, request, displays, left)
                                     : capture_area(server, request, displays, left);
      // News of a changed layout comes before the picture; what was cut out by the old one is no good.
      const std::vector<Display> now = TRY(layout_.displays(server));
      if (now == displays || attempt == 2) return captured;
    }
  });
}

Result<Capture> X11Screen::capture_area(Server& server, const CaptureRequest& request,
                                        const std::vector<Display>& displays, Left& left) {
  if (request.display < 0 || request.display >= static_cast<int>(displays.size())) {
    return make_error(Code::not_found, fmt::format("There is no display {}.", request.display))
        .with_field("display", displays.size() == 1 ? "0, the only one" : fmt::format("0 to {}", displays.size() - 1));
  }
  const Display& display = displays[static_cast<std::size_t>(request.display)];
  const PixelRect part = request.region ? touched_pixels(display, *request.region) : display.pixels;
  if (part.empty()) {
    const Rect& b = display.bounds;
    return make_error(Code::argument_invalid, "The region shows no part of the display.")
        .with_field("region",
                    fmt::format("a rectangle inside x {} to {}, y {} to {}", b.x, b.x + b.width, b.y, b.y + b.height));
  }
  Frame frame;
  int hidden = 0;
  if (request.shows) {
    MaskOwners owners(server, identify_);
    std::vector<TopLevel> tree = TRY(read_tree(server, owners, request.shows, frames_));
    std::erase_if(tree, [&](const TopLevel& top) { return intersect(top.place, part).empty(); });
    frame = TRY(compose(server, tree, part, owners.composited(), left));
    hidden = count_hidden(tree, part);
  } else {
    frame = TRY(read_pixels(server, *segments_, server.root(), server.screen()->root_depth, part));
  }
  cover(frame, part, request.covers, display.scale);
  if (request.cursor == CursorInPicture::draw) TRY(draw_cursor(server, writable(frame), frame.stride, part));
  return Capture{std::move(frame), to_points(part, display.scale), display.scale, false, hidden};
}

Result<Capture> X11Screen::capture_window(Server& server, const CaptureRequest& request,
                                          const std::vector<Display>& displays, Left& left) {
  const auto window = static_cast<xcb_window_t>(*request.window);
  if (window != *request.window) {
    return make_error(Code::not_found, fmt::format("There is no window {:#x}.", *request.window));
  }
  if (request.shows) return masked_window(server, request, window, displays.front().scale, left);
  const WindowPixmap picture = TRY(windows_.find(server, window));
  Frame frame = TRY(
      read_pixels(server, *segments_, picture.pixmap, picture.depth, {0, 0, picture.size.width, picture.size.height}));
  const PixelRect place{picture.origin.x, picture.origin.y, picture.size.width, picture.size.height};
  const double scale = displays.front().scale;
  cover(frame, place, request.covers, scale);
  if (request.cursor == CursorInPicture::draw) TRY(draw_cursor(server, writable(frame), frame.stride, place));
  return Capture{std::move(frame), to_points(place, scale), scale, picture.frozen, 0};
}

Result<Frame> X11Screen::compose(Server& server, std::vector<TopLevel>& tree, const PixelRect& area, bool composited,
                                 Left& left) {
  bool changed = false;
  while (true) {
    painted_.collect(server, tree);
    std::vector<std::uint64_t> lives;
    for (const TopLevel& top : tree) lives.push_back(painted_.life(top.window));
    Frame frame = TRY(masked_.compose(server, *segments_, painted_, tree, area, composited));
    // News of windows that were mapped or resized before they were copied has come before the picture.
    bool again = false;
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree[i].shown.empty() || painted_.life(tree[i].window) == lives[i]) continue;
      tree[i].shown.clear();
      again = changed = true;
    }
    if (again) continue;
    left = TRY(painted_.left(server, tree));
    if (changed) left = Left::soon;
    return frame;
  }
}

Result<Capture> X11Screen::masked_window(Server& server, const CaptureRequest& request, xcb_window_t window,
                                         double scale, Left& left) {
  MaskOwners owners(server, identify_);
  const xcb_window_t top = TRY(top_level(server, window));
  std::vector<TopLevel> tree = TRY(read_tree(server, owners, request.shows, frames_, top));
  if (tree.empty()) return make_error(Code::not_found, fmt::format("Window {:#x} is gone.", window));
  const TopLevel& found = tree.front();
  const bool shown =
      std::find(found.allowed.begin(), found.allowed.end(), window) != found.allowed.end() ||
      std::any_of(found.shown.begin(), found.shown.end(), [&](const ShownWindow& w) { return w.window == window; });
  if (!shown) {
    return make_error(Code::access_denied, "This window belongs to an app that is not granted.")
        .with_hint("Ask for access to the app, then capture its window.");
  }
  const auto attributes = TRY(server.reply(xcb_get_window_attributes(server.xcb(), window),
                                           xcb_get_window_attributes_reply, "GetWindowAttributes"));
  const bool drawn = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
  Frame frame;
  PixelRect place = found.place;
  if (drawn) {
    frame = TRY(compose(server, tree, place, owners.composited(), left));
    // Named now, so that there is a last picture of it once it is minimised.
    const auto named = windows_.find(server, window);
    if (!named.ok() && named.error().code == Code::backend_lost) return named.error();
  } else {
    // The last picture of it, which shows everything that was in the window then.
    if (!painted_.last_whole(top)) {
      return make_error(Code::not_found, "The window is not drawn now, and there is no whole picture of it.");
    }
    if (found.denied) return make_error(Code::access_denied, "The window holds parts of an app that is not granted.");
    const WindowPixmap picture = TRY(windows_.find(server, window));
    place = {picture.origin.x, picture.origin.y, picture.size.width, picture.size.height};
    frame = TRY(read_pixels(server, *segments_, picture.pixmap, picture.depth, {0, 0, place.width, place.height}));
  }
  cover(frame, place, request.covers, scale);
  if (request.cursor == CursorInPicture::draw) TRY(draw_cursor(server, writable(frame), frame.stride, place));
  return Capture{std::move(frame), to_points(place, scale), scale, !drawn, found.hidden ? 1 : 0};
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

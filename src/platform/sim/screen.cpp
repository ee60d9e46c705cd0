#include <cmath>

#include "platform/sim/paint.h"
#include "platform/sim/ports.h"

namespace handrail::sim {
namespace {

double scale_for(const Desktop& desktop, const SimWindow& window) {
  const Display* display = display_at(desktop.displays(), window.spec.bounds.centre());
  return (display != nullptr ? *display : desktop.displays()[0]).scale;
}

Result<Capture> capture_window(Desktop& desktop, const CaptureRequest& request) {
  const SimWindow* window = desktop.find(*request.window);
  if (window == nullptr) return make_error(Code::not_found, "There is no such window.");
  if (request.shows && !request.shows(receiver_of(window))) {
    return make_error(Code::access_denied, "The window belongs to an app that is not granted.")
        .with_hint("Ask for the app with request_access first.");
  }
  Capture taken;
  taken.area = window->spec.bounds;
  taken.scale = scale_for(desktop, *window);
  const Size pixels{static_cast<int>(std::lround(taken.area.width * taken.scale)),
                    static_cast<int>(std::lround(taken.area.height * taken.scale))};
  taken.frame = paint_window(desktop, *window, pixels, taken.scale);
  taken.frozen = !desktop.shown(*window);
  return taken;
}

// The region in whole pixels of the display, so that the picture is exactly what those pixels show.
Result<Capture> capture_display(Desktop& desktop, const CaptureRequest& request) {
  const int id = request.display;
  const std::optional<Rect>& region = request.region;
  if (id < 0 || static_cast<std::size_t>(id) >= desktop.displays().size()) {
    return make_error(Code::not_found, "There is no such display.");
  }
  const Display& display = desktop.displays()[static_cast<std::size_t>(id)];
  const Rect wanted = region ? intersect(*region, display.bounds) : display.bounds;
  if (wanted.empty()) {
    return make_error(Code::argument_invalid, "The region shows nothing of the display.")
        .with_field("region", "a rectangle that overlaps the display");
  }
  const auto low = [&](double value) { return static_cast<int>(std::floor(value * display.scale + 1e-6)); };
  const auto high = [&](double value) { return static_cast<int>(std::ceil(value * display.scale - 1e-6)); };
  const int left = low(wanted.x - display.bounds.x), top = low(wanted.y - display.bounds.y);
  const int right = high(wanted.x + wanted.width - display.bounds.x);
  const int bottom = high(wanted.y + wanted.height - display.bounds.y);
  Capture taken;
  taken.scale = display.scale;
  taken.area = {display.bounds.x + left / display.scale, display.bounds.y + top / display.scale,
                (right - left) / display.scale, (bottom - top) / display.scale};
  Shows shows;
  if (request.shows) {
    shows = [&](const SimWindow& window) {
      if (request.shows(receiver_of(&window))) return true;
      if (!intersect(window.spec.bounds, taken.area).empty()) ++taken.hidden;
      return false;
    };
  }
  taken.frame = paint_area(desktop, taken.area, {right - left, bottom - top}, display.scale, shows);
  return taken;
}

}  // namespace

Result<std::vector<Display>> SimScreen::displays(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<std::vector<Display>> { return desktop.displays(); });
}

Result<Capture> SimScreen::capture(const CaptureRequest& request, Deadline deadline) {
  return hub_.use(deadline, [&](Desktop& desktop) -> Result<Capture> {
    Capture taken = TRY(request.window ? capture_window(desktop, request) : capture_display(desktop, request));
    paint_covers(taken.frame, taken.area, taken.scale, request.covers);
    if (request.cursor == CursorInPicture::draw) {
      paint_cursor(taken.frame, taken.area, taken.scale, desktop.pointer());
    }
    return taken;
  });
}

Result<Point> SimScreen::cursor(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<Point> { return desktop.pointer(); });
}

Result<std::uint64_t> SimScreen::change_count(Deadline deadline) {
  return hub_.use(deadline, [](Desktop& desktop) -> Result<std::uint64_t> { return desktop.changes(); });
}

Result<std::uint64_t> SimScreen::wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop) {
  return hub_.wait_for_change(seen, deadline, std::move(stop));
}

}  // namespace handrail::sim

#include "platform/sim/paint.h"

#include <algorithm>
#include <cmath>

namespace handrail::sim {
namespace {

class Canvas {
 public:
  Canvas(Frame& frame, const Rect& area, double scale)
      : frame_(frame), pixels_(writable(frame)), area_(area), scale_(scale) {}

  // `within` keeps a widget's content inside the widget.
  void fill(const Rect& place, Colour colour, const Rect* within = nullptr) {
    const Rect part = within != nullptr ? intersect(place, *within) : place;
    if (part.empty()) return;
    const int left = column(part.x), right = column(part.x + part.width);
    const int top = line(part.y), bottom = line(part.y + part.height);
    for (int y = top; y < bottom; ++y) {
      std::uint8_t* pixel = pixels_ + static_cast<std::size_t>(y) * frame_.stride + static_cast<std::size_t>(left) * 4;
      for (int x = left; x < right; ++x, pixel += 4) {
        pixel[0] = colour.blue;
        pixel[1] = colour.green;
        pixel[2] = colour.red;
        pixel[3] = 0;
      }
    }
  }

 private:
  int column(double x) const {
    return std::clamp(static_cast<int>(std::lround((x - area_.x) * scale_)), 0, frame_.width);
  }
  int line(double y) const {
    return std::clamp(static_cast<int>(std::lround((y - area_.y) * scale_)), 0, frame_.height);
  }

  Frame& frame_;
  std::uint8_t* pixels_;
  Rect area_;
  double scale_;
};

Colour shade(Colour base, unsigned seed) {
  const auto mix = [seed](std::uint8_t value, unsigned weight) {
    return static_cast<std::uint8_t>((value + seed * weight) % 256);
  };
  return {mix(base.red, 53), mix(base.green, 97), mix(base.blue, 151)};
}

void draw_text(Canvas& canvas, const TextField& field, const Rect& place) {
  constexpr double kAdvance = 8, kLine = 14, kInset = 4;
  double x = place.x + kInset, y = place.y + kInset;
  if (field.selected) canvas.fill(place, {180, 210, 255});
  unsigned character = 0;
  const auto flush = [&] {
    if (character == '\n' || x + kAdvance > place.x + place.width) {
      x = place.x + kInset;
      y += kLine;
    }
    if (character != '\n') {
      canvas.fill({x, y, kAdvance - 2, kLine - 4}, shade({20, 20, 20}, character), &place);
      x += kAdvance;
    }
  };
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(field.text[i]);
    const bool continues = (byte & 0xC0) == 0x80;
    if (!continues && i > 0) flush();
    character = continues ? character * 64 + (byte & 0x3FU) : byte;
  }
  if (!field.text.empty()) flush();
}

void draw_scroll(Canvas& canvas, const ScrollArea& area, const Rect& place) {
  constexpr double kCell = 20;
  const auto cell = [&](double offset) { return std::floor(offset / kCell); };
  for (double row = cell(area.offset.y); row * kCell < area.offset.y + place.height; ++row) {
    for (double column = cell(area.offset.x); column * kCell < area.offset.x + place.width; ++column) {
      const Rect tile{place.x + column * kCell - area.offset.x, place.y + row * kCell - area.offset.y, kCell, kCell};
      canvas.fill(tile, shade({90, 90, 90}, static_cast<unsigned>(row * 101 + column)), &place);
    }
  }
}

void draw_window(Canvas& canvas, const Desktop& desktop, const SimWindow& window) {
  canvas.fill(window.spec.bounds, desktop.focused() == window.id ? kFocusedFrame : kFrameColour);
  canvas.fill(window.content(), window.spec.colour);
  for (const TextField& field : window.spec.fields) {
    const Rect place = window.desktop_place(field.place);
    canvas.fill(place, kFieldColour);
    draw_text(canvas, field, place);
  }
  for (const PushButton& button : window.spec.buttons) {
    canvas.fill(window.desktop_place(button.place), shade(kButtonColour, static_cast<unsigned>(button.clicks)));
  }
  for (const ScrollArea& area : window.spec.scrolls) draw_scroll(canvas, area, window.desktop_place(area.place));
}

}  // namespace

Frame paint_area(const Desktop& desktop, const Rect& area, Size pixels, double scale, const Shows& shows) {
  Frame frame = make_frame(pixels);
  Canvas canvas(frame, area, scale);
  canvas.fill(area, kBackground);
  for (const auto& window : desktop.windows()) {
    if (!desktop.shown(*window)) continue;
    if (shows && !shows(*window))
      canvas.fill(window->spec.bounds, kMask);
    else
      draw_window(canvas, desktop, *window);
  }
  return frame;
}

Frame paint_window(const Desktop& desktop, const SimWindow& window, Size pixels, double scale) {
  Frame frame = make_frame(pixels);
  Canvas canvas(frame, window.spec.bounds, scale);
  draw_window(canvas, desktop, window);
  return frame;
}

void paint_covers(Frame& frame, const Rect& area, double scale, const std::vector<Rect>& covers) {
  Canvas canvas(frame, area, scale);
  for (const Rect& cover : covers) canvas.fill(cover, kMask);
}

void paint_cursor(Frame& frame, const Rect& area, double scale, Point at) {
  Canvas canvas(frame, area, scale);
  canvas.fill({at.x, at.y, 10, 10}, {0, 0, 0}, &area);
  canvas.fill({at.x + 1, at.y + 1, 8, 8}, {255, 255, 255}, &area);
}

}  // namespace handrail::sim

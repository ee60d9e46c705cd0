// Points, sizes and rectangles. Unless a name says pixels, units are logical desktop points with the
// origin of the whole desktop.
#pragma once

#include <algorithm>

namespace handrail {

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
  int width = 0;
  int height = 0;
  bool empty() const { return width <= 0 || height <= 0; }
  friend bool operator==(const Size&, const Size&) = default;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  bool empty() const { return width <= 0 || height <= 0; }
  // Half open, as pixels are: the right and bottom edges belong to the neighbour.
  bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height; }
  Point origin() const { return {x, y}; }
  Point centre() const { return {x + width / 2, y + height / 2}; }
  friend bool operator==(const Rect&, const Rect&) = default;
};

// A rectangle in whole device pixels of the desktop.
struct PixelRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool empty() const { return width <= 0 || height <= 0; }
  Size size() const { return {width, height}; }
  friend bool operator==(const PixelRect&, const PixelRect&) = default;
};

inline Rect intersect(const Rect& a, const Rect& b) {
  const double x1 = std::max(a.x, b.x), y1 = std::max(a.y, b.y);
  const double x2 = std::min(a.x + a.width, b.x + b.width), y2 = std::min(a.y + a.height, b.y + b.height);
  if (x2 <= x1 || y2 <= y1) return {};
  return {x1, y1, x2 - x1, y2 - y1};
}

inline PixelRect intersect(const PixelRect& a, const PixelRect& b) {
  const int x1 = std::max(a.x, b.x), y1 = std::max(a.y, b.y);
  const int x2 = std::min(a.x + a.width, b.x + b.width), y2 = std::min(a.y + a.height, b.y + b.height);
  if (x2 <= x1 || y2 <= y1) return {};
  return {x1, y1, x2 - x1, y2 - y1};
}

}  // namespace handrail

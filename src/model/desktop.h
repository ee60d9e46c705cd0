// What a desktop consists of, as plain values: displays, windows, apps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/geometry.h"

namespace handrail {

// One monitor. `bounds` is in logical points, `pixels` in device pixels of the whole desktop;
// pixel = pixels.origin + (point - bounds.origin) * scale.
struct Display {
  int id = 0;  // 0 is the primary one; stable while the layout does not change
  std::string name;
  Rect bounds;
  PixelRect pixels;
  double scale = 1;
  bool primary = false;
  friend bool operator==(const Display&, const Display&) = default;
};

using WindowId = std::uint64_t;

enum class WindowState { normal, minimised, maximised, fullscreen };

struct Window {
  WindowId id = 0;
  std::string title;     // untrusted: the app writes it
  std::string app;       // class name as the app gives it; never a proof of identity
  std::int64_t pid = 0;  // true owner from the display server; 0 when unknown
  Rect bounds;           // with frame
  Rect content;          // without frame
  int stacking = 0;      // 0 is the lowest of the managed windows
  int workspace = 0;     // -1: on all of them
  WindowState state = WindowState::normal;
  bool focused = false;
  bool visible = false;
  friend bool operator==(const Window&, const Window&) = default;
};

struct Workspace {
  int number = 0;
  std::string name;  // untrusted: anybody may set it
  bool current = false;
  friend bool operator==(const Workspace&, const Workspace&) = default;
};

// An app that can be opened or is running.
struct App {
  std::string id;    // desktop id without the suffix, e.g. "org.xfce.mousepad"
  std::string name;  // for people
  std::string executable;
  std::vector<std::int64_t> pids;  // empty: not running
  friend bool operator==(const App&, const App&) = default;
};

// The pointer device pixel that shows a logical point, rounded to the pixel that contains it.
struct PixelPoint {
  int x = 0;
  int y = 0;
  friend bool operator==(const PixelPoint&, const PixelPoint&) = default;
};

// Nothing when the point is on no display.
const Display* display_at(const std::vector<Display>& displays, Point point);
PixelPoint to_pixel(const Display& display, Point point);
// The centre of the pixel, so that to_pixel(to_point(p)) == p at every scale.
Point to_point(const Display& display, PixelPoint pixel);

// A digest of the layout. Looks carry it; a look of another layout is stale.
std::uint64_t layout_stamp(const std::vector<Display>& displays);

}  // namespace handrail

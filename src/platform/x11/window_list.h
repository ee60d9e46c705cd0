// Reads windows as they are: many at once, every request on its way before the first answer is read.
#pragma once

#include <xcb/xcb.h>

#include <vector>

#include "model/desktop.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// A window and what only this backend needs to know of it.
struct WindowFacts {
  Window window;
  xcb_window_t frame = XCB_NONE;  // child of the root; the window itself without decoration
  PixelRect bounds;               // Window::bounds in pixels
  PixelRect content;              // Window::content in pixels
  PixelRect shadow_box;           // bounds and the invisible border that toolkits draw shadows in
};

struct WindowList {
  bool managed = false;              // a window manager runs; without one these are the mapped top-level windows
  std::vector<WindowFacts> windows;  // lowest first
};

// Windows that vanish meanwhile are left out. `scale` is device pixels per point. Only inside a task.
Result<WindowList> read_windows(Server& server, double scale);

// A list of at most that one; without a window manager also when it is not mapped.
Result<WindowList> read_window(Server& server, xcb_window_t window, double scale);

}  // namespace handrail::x11

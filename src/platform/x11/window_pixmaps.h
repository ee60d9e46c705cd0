// The pictures of single windows, covered ones included. Asks the server to draw every top-level
// window into memory of its own, and names that memory when a window is captured.
#pragma once

#include <xcb/xcb.h>

#include <memory>

#include "model/desktop.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

struct WindowPixmap {
  xcb_pixmap_t pixmap = XCB_NONE;
  Size size;
  int depth = 0;
  PixelPoint origin;    // of the window on the root
  bool frozen = false;  // the window is not drawn now; this is its last picture that was named
};

// Register before the connection's first call.
class WindowPixmaps {
 public:
  explicit WindowPixmaps(Connection& connection);

  // Of the top-level window that `window` is in. `not_found` when it is gone, or is not drawn now and
  // was never captured before. The pixmap stays valid until the next call. Only inside a task.
  Result<WindowPixmap> find(Server& server, xcb_window_t window);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The child of the root that a window is in; the window itself when it is one.
Result<xcb_window_t> top_level(Server& server, xcb_window_t window);

}  // namespace handrail::x11

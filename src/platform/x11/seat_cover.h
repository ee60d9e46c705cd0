// Places where a window can be reached although others cover it: a hole of three pixels in the input shape of each
// window above, for the time of an act. What was cut is written down on the root window first, where it survives us.
#pragma once

#include <xcb/shape.h>
#include <xcb/xcb.h>

#include <vector>

#include "model/desktop.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// A window that was cut.
struct CutWindow {
  xcb_window_t window = XCB_WINDOW_NONE;
  bool shaped = false;  // had an input shape of its own; else it is to have none again
  std::vector<xcb_rectangle_t> holes;
};

class SeatCover {
 public:
  // Inside a task. Nothing is cut where the window is in reach; its app's own menus and lists count as the window.
  // Other holes stay open: what is not seen to close under the pointer is not entered by it.
  Status open(Server& server, xcb_window_t window, PixelPoint pixel);
  void close(Server& server);
  void forget() { cut_.clear(); }

 private:
  std::vector<CutWindow> cut_;
};

// Puts back what is written down on the root window.
void mend_covers(xcb_connection_t* xcb, xcb_window_t root);

}  // namespace handrail::x11

// Every window that draws something, from the root down, each with the ruling whether it may be seen. Truth is the
// tree of the display server: lists that a window manager keeps are not asked.
#pragma once

#include <xcb/xcb.h>

#include <map>
#include <vector>

#include "model/desktop.h"
#include "platform/x11/connection.h"
#include "platform/x11/mask_owners.h"

namespace handrail::x11 {

// A window whose own pixels, those of its children left out, may be shown.
struct ShownWindow {
  xcb_window_t window = XCB_NONE;
  PixelRect place;  // on the root, without its border
  int depth = 0;
};

// A child of the root.
struct TopLevel {
  xcb_window_t window = XCB_NONE;
  PixelRect place;                    // with its border
  std::vector<PixelRect> outline;     // the parts of `place` that it covers, on the root
  bool hidden = false;                // a window that may not be seen is all or part of it
  std::vector<ShownWindow> shown;     // parents before their children
  std::vector<xcb_window_t> allowed;  // itself and windows of other apps inside, as far as they may be seen
  bool denied = false;                // some window inside may not be seen, drawn or not
};

// The dozens of small windows that a frame is made of, remembered for a moment: they are asked about again when the
// frame changed. An old place can only put decoration wrong; what is shown is decided anew each time.
struct FrameParts {
  struct Parts {
    Size size;                        // of the frame
    std::vector<xcb_window_t> whole;  // its children
    std::vector<xcb_window_t> plain;  // those of them with nothing but decoration inside
    std::vector<ShownWindow> shown;   // in them, placed relative to the frame
    TimePoint learned;
  };
  std::uint64_t epoch = 0;
  std::map<xcb_window_t, Parts> frames;
};

// Mapped top-level windows, lowest first. `only`, when given, leaves out all others; its own mapping then does not
// matter. A window manager's frame is shown when everything in it may be. Windows that vanish meanwhile are left out.
// Only inside a task.
Result<std::vector<TopLevel>> read_tree(Server& server, MaskOwners& owners, const Shows& shows, FrameParts& frames,
                                        xcb_window_t only = XCB_NONE);

}  // namespace handrail::x11

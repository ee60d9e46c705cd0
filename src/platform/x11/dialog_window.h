// The window of a dialog: made, named for the window manager, placed in the middle of the main monitor, filled with
// pixels. Knows nothing of what the pixels mean or of input.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/geometry.h"

namespace handrail::x11 {

// What the person set for their screen: Xft.dpi over 96, from 1 to 3.
double screen_scale(xcb_connection_t* xcb, const xcb_screen_t& screen);
// The part of the screen that a dialog goes on.
PixelRect main_monitor(xcb_connection_t* xcb, const xcb_screen_t& screen);

class DialogWindow {
 public:
  // `xcb` and `screen` outlive it.
  DialogWindow(xcb_connection_t* xcb, const xcb_screen_t& screen);
  ~DialogWindow();
  DialogWindow(const DialogWindow&) = delete;
  DialogWindow& operator=(const DialogWindow&) = delete;

  // False when the server has no pixels of the one kind that is painted.
  bool open(const std::string& title, const PixelRect& place);
  xcb_window_t id() const { return window_; }
  // Shows it, and takes the focus where no window manager would give it.
  void show();
  void fill(const std::vector<std::uint32_t>& pixels, Size size);
  // Makes a PropertyNotify of `stamp()` that carries the server's time after all that was sent before.
  void ask_time();
  xcb_atom_t stamp() const { return stamp_; }
  xcb_atom_t protocols() const { return protocols_; }
  xcb_atom_t delete_window() const { return delete_window_; }
  // Whether another visible window lies over it. Unknown is yes.
  bool covered() const;

 private:
  xcb_atom_t atom(const char* name) const;
  void name_it(const std::string& title, const PixelRect& place);

  xcb_connection_t* xcb_;
  const xcb_screen_t& screen_;
  xcb_window_t window_ = XCB_WINDOW_NONE;
  xcb_gcontext_t context_ = 0;
  xcb_colormap_t colours_ = 0;
  std::uint8_t depth_ = 0;
  xcb_atom_t stamp_ = 0, protocols_ = 0, delete_window_ = 0;
};

}  // namespace handrail::x11

// A pointer and a keyboard of the agent's own: a second pair of master devices, which acts on one window while the
// person's pointer, focus and windows stay as they are. Made for an act; rests in a corner after it, and is removed
// when the app is through with what it did. Lives on the connection's thread. It sends no press and no key; whether it
// may act is decided before.
#pragma once

#include <xcb/xcb.h>
#include <xcb/xinput.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "model/input_plan.h"
#include "platform/x11/connection.h"
#include "platform/x11/seat_cover.h"

namespace handrail::x11 {

class AgentSeat {
 public:
  // Inside a task. Harmless when it is on this window already.
  Status take(Server& server, const Seat& seat);
  bool there() const { return pointer_ != 0; }
  bool taken() const { return window_ != XCB_WINDOW_NONE; }
  xcb_window_t window() const { return window_; }
  xcb_window_t last_window() const { return last_; }
  std::uint16_t pointer() const { return pointer_; }
  std::uint16_t keyboard() const { return keyboard_; }

  // Lets the pointer through what covers the window at this pixel, until it rests.
  Status uncover(Server& server, PixelPoint pixel);

  // Around the presses of a plan: with a button down that nobody hears, a press of ours is no first press, which is
  // what window managers listen for. Goes to the corner for it. Apps keep the pointer until the last button is up.
  void arm(Server& server);
  void disarm(Server& server);

  // Off the window, and out of the way.
  void rest(Server& server);
  // The devices go; false when they are better left for now: an app holds the pointer still, or one is just starting.
  bool remove(Server& server);
  void forget();
  // On a new connection: what the old one made is still there, and is ours again.
  void recover(Server& server);

 private:
  Status make(Server& server);
  Status give_focus(Server& server);
  void find_own(const xcb_input_xi_query_device_reply_t& devices);
  void make_windows(Server& server);
  void go_to_corner(Server& server);
  // Into the window and out of it. GTK 4 keeps for each device what it is over until it has left; of a device that went
  // without leaving it asks later, and ends.
  void leave_window(Server& server);
  bool is_grabbed(Server& server) const;

  xcb_window_t window_ = XCB_WINDOW_NONE;
  std::uint16_t pointer_ = 0;
  std::uint16_t keyboard_ = 0;
  xcb_window_t corner_ = XCB_WINDOW_NONE;  // of nobody, where the pointer rests
  xcb_window_t unseen_ = XCB_WINDOW_NONE;  // never mapped
  std::optional<xcb_window_t> active_;     // by the window manager's word, before the focus was given
  std::optional<PixelPoint> home_;         // on the window itself
  xcb_window_t last_ = XCB_WINDOW_NONE;    // that it was on
  bool armed_ = false;
  bool held_back_ = false;              // it was grabbed when it should have gone
  std::vector<std::uint32_t> clients_;  // who was connected when it was last looked
  int postponed_ = 0;
  SeatCover cover_;
};

// How long apps are given to be through with the devices before those go: what an app has read it acts on in the frames
// that follow, and a hint over a button half a second later.
inline constexpr Millis kSeatFrames{1500};

// For the guardian, of what a dead process has left. At once: all buttons up, out of every window, what was cut mended.
void quiet_seat(xcb_connection_t* xcb, xcb_window_t root, std::int64_t pid);
// Some seconds later its devices are gone.
void remove_seat(xcb_connection_t* xcb, xcb_window_t root, std::int64_t pid);

}  // namespace handrail::x11

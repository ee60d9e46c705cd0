// Opens the socket of an X server and shakes hands on it, within a deadline. It knows addresses and
// Xauthority, not what the connection is for.
#pragma once

#include <xcb/xcb.h>

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::x11 {

struct Dialled {
  xcb_connection_t* xcb = nullptr;
  int screen_number = 0;
};

// Connects to a display such as ":99", "unix:0" or "localhost:10.0"; hosts other than localhost are
// given by number, as a name lookup cannot be bounded. `on_socket` gets the connected socket before the
// handshake: xcb waits for the server's greeting without a deadline, and shutting the socket down
// from another thread is what ends that wait. Failure is `backend_lost` with the way back as its hint.
Result<Dialled> dial(const std::string& display, Deadline deadline, const std::function<void(int fd)>& on_socket);

// What a person does when the server of a display is not there.
std::string way_back(const std::string& display);

}  // namespace handrail::x11

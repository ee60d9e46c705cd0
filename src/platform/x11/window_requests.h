// What is sent to change a window: messages to the window manager, or the plain requests that do the
// same where none runs. They only ask; whether it happened is for the caller to see.
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <cstdint>

#include "model/input_plan.h"
#include "platform/x11/connection.h"
#include "platform/x11/window_list.h"

namespace handrail::x11 {

// Asks the window manager, as a pager does. Only inside a task.
void tell_manager(Server& server, xcb_window_t window, xcb_atom_t type, const std::array<std::uint32_t, 5>& data);
// What it says that it understands.
Result<bool> manager_knows(Server& server, xcb_atom_t message);

// Whether the verb gives a window another place or size.
constexpr bool places(WindowVerb verb) {
  return verb == WindowVerb::move || verb == WindowVerb::resize || verb == WindowVerb::place;
}

// Where the window's bounds are to be, in pixels, after a move, resize or place.
PixelRect wanted_bounds(const ChangeWindow& change, const WindowFacts& facts, double scale);

Status send_change(Server& server, const ChangeWindow& change, const WindowFacts& facts, const PixelRect& wanted,
                   bool managed);

}  // namespace handrail::x11

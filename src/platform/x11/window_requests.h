// What is sent to change a window: messages to the window manager, or the plain requests that do the
// same where none runs. They only ask; whether it happened is for the caller to see.
#pragma once

#include <xcb/xcb.h>

#include "model/input_plan.h"
#include "platform/x11/connection.h"
#include "platform/x11/window_list.h"

namespace handrail::x11 {

// Where the window's bounds are to be, in pixels, after a move or resize.
PixelRect wanted_bounds(const ChangeWindow& change, const WindowFacts& facts, double scale);

Status send_change(Server& server, const ChangeWindow& change, const WindowFacts& facts, const PixelRect& wanted,
                   bool managed);

}  // namespace handrail::x11

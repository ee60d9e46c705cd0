// The pointer: where it is and what it looks like.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/desktop.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

Result<PixelPoint> cursor_position(Server& server);

// Draws the pointer's image into pixels that show `area` of the root. Without the XFIXES extension
// this is `capability_unsupported`.
Status draw_cursor(Server& server, std::uint8_t* pixels, std::size_t stride, const PixelRect& area);

}  // namespace handrail::x11

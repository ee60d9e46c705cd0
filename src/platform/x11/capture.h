// Pixels of a drawable as a frame: through shared memory, else over the socket.
#pragma once

#include "model/frame.h"
#include "platform/x11/connection.h"
#include "platform/x11/segments.h"

namespace handrail::x11 {

// `part` must lie inside the drawable. Only 24 and 32 bit deep drawables in 4 bytes a pixel, least
// byte first, are read; others are `capability_unsupported`.
Result<Frame> read_pixels(Server& server, SegmentPool& segments, xcb_drawable_t drawable, int depth,
                          const PixelRect& part);

}  // namespace handrail::x11

// From raw pixels to the picture that goes to a client: scaled and encoded strip by strip on two
// threads. It knows nothing of where the frame came from.
#pragma once

#include "base/result.h"
#include "model/frame.h"
#include "vision/encode.h"

namespace handrail::vision {

// `frame` scaled to `target` and encoded. With a byte cap, the quality is lowered in steps and then
// the size, until the bytes fit: `size` of the result says how large it became. `too_large` when even
// the smallest does not fit; `argument_invalid` for an empty frame, target or quality outside 1..100.
//
// Any thread may call; calls at the same time do not wait for each other. The memory they work in is
// kept for the next call. When `sized` is given, the scaled pixels at `target` are left there (its
// memory is reused when it has that size already and nobody else holds it).
Result<Picture> picture_of(const Frame& frame, Size target, const EncodeOptions& options = {}, Frame* sized = nullptr);

}  // namespace handrail::vision

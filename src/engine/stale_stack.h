// Whether the window at a point is the one that was there in the look that the point was read from.
#pragma once

#include "computer/ports.h"
#include "engine/session.h"

namespace handrail::engine {

// `now` is who would receive a press at `aim`. Menus and other windows that no window manager lists are in no look's
// list either: what they look like is for the pixels to tell.
bool stack_changed(const SeenLook& seen, Point aim, const Receiver& now, Windows* windows);

}  // namespace handrail::engine

// Whether the screen around a point still looks as it did in the look that the point was read from.
#pragma once

#include <functional>

#include "computer/ports.h"
#include "engine/session.h"
#include "policy/facts.h"

namespace handrail::engine {

// What is compared with the look: the screen as it is, or the window that the look shows, whatever covers it.
enum class Against { screen, own_window };

// `aim` is in logical points. `shows` as in the look's own capture, so that what is masked compares equal.
policy::PixelFacts compare_with_look(const SeenLook& seen, Point aim, Screen& screen, Against against,
                                     const std::function<bool(const Receiver& owner)>& shows);

// The two pictures of one place, device pixel by device pixel. Pure, for tests.
enum class Likeness { same, patch_differs, surroundings_differ };
Likeness compare(const Frame& before, PixelPoint aim_before, const Frame& now, PixelPoint aim_now);

}  // namespace handrail::engine

// Draws the simulated desktop: flat colours, in stacking order, the same pixels for the same state.
// A character is a small block whose colour depends on it, so that typing is visible.
#pragma once

#include "model/frame.h"
#include "platform/sim/desktop.h"

namespace handrail::sim {

inline constexpr Colour kBackground{40, 44, 52};
inline constexpr Colour kFocusedFrame{30, 90, 160};
inline constexpr Colour kFrameColour{120, 120, 120};
inline constexpr Colour kFieldColour{255, 255, 255};
inline constexpr Colour kButtonColour{200, 200, 200};
inline constexpr Colour kMask{96, 96, 96};

// What the displays show of `area`, at `scale` pixels a point.
// Windows that `shows` denies are flat; without it all are shown.
using Shows = std::function<bool(const SimWindow& window)>;
Frame paint_area(const Desktop& desktop, const Rect& area, Size pixels, double scale, const Shows& shows);
void paint_covers(Frame& frame, const Rect& area, double scale, const std::vector<Rect>& covers);
// One window with its frame, as if nothing covered it.
Frame paint_window(const Desktop& desktop, const SimWindow& window, Size pixels, double scale);
// A small arrow block with its tip at the pointer.
void paint_cursor(Frame& frame, const Rect& area, double scale, Point at);

}  // namespace handrail::sim

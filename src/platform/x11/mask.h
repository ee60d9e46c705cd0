// Flat boxes in a picture, and translucent windows laid over it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/desktop.h"
#include "model/frame.h"

namespace handrail::x11 {

// The colour of what may not be seen, as 0xRRGGBB.
inline constexpr std::uint32_t kFlat = 0x3f4247;
// Of a password field, which is part of an app that may be seen.
inline constexpr std::uint32_t kSecret = 0x8a5a00;

// The whole pixels that a rectangle in points touches, with nothing left out at its edges.
PixelRect outer_pixels(const Rect& points, double scale);

// Paints rectangles of the root in one colour in a picture of `area`.
void paint_flat(Frame& frame, const PixelRect& area, const std::vector<PixelRect>& boxes, std::uint32_t colour = kFlat);

// Lays pixels with premultiplied alpha that show `place` over a picture of `area`, but for what stands above them.
// Without `blend` every pixel that was drawn at all is opaque, as on a screen that no compositor paints.
void lay_over(Frame& frame, const PixelRect& area, const Frame& layer, const PixelRect& place,
              const std::vector<PixelRect>& above, bool blend);

}  // namespace handrail::x11

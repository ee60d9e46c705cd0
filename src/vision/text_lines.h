// Where lines of text stand on a screen, found by their edges: screens have plain backgrounds and straight lines, so
// this is much quicker than the layout analysis for paper. It knows nothing of letters and may take pictures for text.
#pragma once

#include <cstdint>
#include <vector>

#include "model/frame.h"
#include "model/geometry.h"

namespace handrail::vision {

// Brightness, one byte a pixel, rows without gaps.
struct Grey {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;

  std::uint8_t* row(int y) { return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
  const std::uint8_t* row(int y) const {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

Grey grey_of(const Frame& frame);

// Lower text cannot be read.
inline constexpr int kLeastTextHeight = 5;
// Higher than this it is taken for a picture.
inline constexpr int kMostTextHeight = 200;

// Boxes around pieces of lines, in reading order: a line is cut where the gap is wider than the text is high.
std::vector<PixelRect> find_text_lines(const Grey& grey);

}  // namespace handrail::vision

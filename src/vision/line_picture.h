// The picture of one line of text as the recogniser likes it: dark on light, large enough, with room around it. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "vision/text_lines.h"

namespace handrail::vision {

struct LinePicture {
  Grey cut;                            // the line and a little around it, dark on light, in its own size
  PixelRect place;                     // of `cut` in the picture it was taken from
  std::uint8_t ground = 0;             // what the background has become in `cut`
  std::array<std::uint64_t, 2> key{};  // the same for the same pixels
};

LinePicture cut_line(const Grey& grey, const PixelRect& line);

// Enlarged where letters are small, with a margin. A pixel x of the cut becomes
// kLineMargin + x * enlargement(cut).
Grey prepared(const LinePicture& line);
int enlargement(const LinePicture& line);
inline constexpr int kLineMargin = 10;

// Boxes of words in the cut, around their ink, from where words were seen roughly ([left, right) pairs, rising).
std::vector<PixelRect> word_boxes(const LinePicture& line, const std::vector<std::pair<int, int>>& rough);

}  // namespace handrail::vision

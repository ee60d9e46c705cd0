// Where the number of each mark stands, and in which colour. Pure: it reads the picture and draws nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/frame.h"
#include "model/geometry.h"
#include "vision/marks.h"

namespace handrail::vision {

struct Chip {
  int number = 0;
  PixelRect control;         // the mark's box in whole pixels, within the picture; empty when it lies outside
  PixelRect box;             // the chip; empty when the control is, or when the picture is smaller than a chip
  std::uint32_t colour = 0;  // 0x00RRGGBB, of the chip and of the outline
  friend bool operator==(const Chip&, const Chip&) = default;
};

// How large the chip of a number is.
Size chip_size(int number);

inline constexpr std::array<std::uint32_t, 10> kMarkColours{0xD0021B, 0x0B7A33, 0x1F4FD8, 0xF07800, 0x7B1FA2,
                                                            0xFF4FC3, 0x00B8A9, 0x8A4B08, 0xFFD60A, 0x5AC8FA};

// One chip for each mark, in the order of the marks, each within the picture.
//
// A chip stands beside its control and covers none of it as long as any of the places around it leaves room; where the
// picture ends on every side, it takes the place that covers least of the control. Among the places that are equal in
// this it avoids other chips first, then the boxes of other marks, then what is written in the picture.
//
// The colour is one of those that contrast best with what the control looks like, and differs from those of the marks
// around it while there are enough colours.
std::vector<Chip> place_chips(std::span<const Mark> marks, const Frame& frame);

}  // namespace handrail::vision

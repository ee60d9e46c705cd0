#include "vision/pixel_print.h"

#include <gtest/gtest.h>

namespace handrail::vision {
namespace {

Frame striped(Size size) {
  Frame frame = make_frame(size);
  std::uint8_t* out = writable(frame);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width * 4; ++x) {
      out[static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(x)] =
          static_cast<std::uint8_t>(x * 7 + y * 13);
    }
  }
  return frame;
}

TEST(PixelPrint, IsTheSameForTheSamePixels) {
  EXPECT_EQ(print_of(striped({31, 9})), print_of(striped({31, 9})));
  EXPECT_NE(print_of(striped({31, 9})), print_of(striped({9, 31})));
  EXPECT_EQ(print_of(make_frame({0, 0})), print_of(make_frame({0, 0})));
}

TEST(PixelPrint, ChangesWithEveryByte) {
  // Widths that leave every rest of a step.
  for (int width = 1; width <= 14; ++width) {
    Frame frame = striped({width, 3});
    const std::uint64_t before = print_of(frame);
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t x = 0; x < static_cast<std::size_t>(width) * 4; ++x) {
        std::uint8_t& byte = writable(frame)[y * frame.stride + x];
        byte ^= 1;
        EXPECT_NE(print_of(frame), before) << width << " " << x << " " << y;
        byte ^= 1;
      }
    }
    EXPECT_EQ(print_of(frame), before);
  }
}

}  // namespace
}  // namespace handrail::vision

#include "engine/window_picture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace handrail::engine {
namespace {

Capture plain(int width, int height, Rect area) {
  Capture taken;
  taken.frame = make_frame({width, height});
  std::fill_n(writable(taken.frame), static_cast<std::size_t>(taken.frame.stride) * static_cast<std::size_t>(height),
              std::uint8_t{7});
  taken.area = area;
  return taken;
}

TEST(WindowPicture, IsTheSamePixelByPixelAtTheSamePlace) {
  for (const int width : {1, 7, 8, 9, 40}) {
    const Rect area{0, 0, static_cast<double>(width), 20};
    const Capture before = plain(width, 20, area);
    EXPECT_EQ(stamp_of(before), stamp_of(plain(width, 20, area)));
    for (std::size_t y = 0; y < 20; ++y) {
      for (std::size_t x = 0; x < static_cast<std::size_t>(width) * 4; ++x) {
        Capture now = plain(width, 20, area);
        writable(now.frame)[y * now.frame.stride + x] ^= 0x80;
        EXPECT_NE(stamp_of(before), stamp_of(now)) << x << ", " << y;
      }
    }
    EXPECT_NE(stamp_of(before), stamp_of(plain(width, 21, area)));
    EXPECT_NE(stamp_of(before), stamp_of(plain(width, 20, {1, 0, static_cast<double>(width), 20})));
  }
}

// As where things change places, or all of them by the same.
TEST(WindowPicture, SeesChangesThatWouldCancelEachOther) {
  const Rect area{0, 0, 64, 20};
  const Capture before = plain(64, 20, area);
  for (std::size_t a = 0; a < 20; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      Capture now = plain(64, 20, area);
      for (const std::size_t y : {a, b}) writable(now.frame)[y * now.frame.stride + 35] ^= 0x80;
      EXPECT_NE(stamp_of(before), stamp_of(now)) << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace handrail::engine

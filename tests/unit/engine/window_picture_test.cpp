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

TEST(WindowPicture, is_the_same_pixel_by_pixel_at_the_same_place) {
  const Capture before = plain(40, 20, {0, 0, 40, 20});
  for (const auto& [x, y] : {std::pair{0, 0}, std::pair{39, 0}, std::pair{20, 10}, std::pair{39, 19}}) {
    Capture now = own_copy(before);
    EXPECT_TRUE(same_picture(before, now));
    writable(now.frame)[static_cast<std::size_t>(y) * now.frame.stride + static_cast<std::size_t>(x) * 4] = 99;
    EXPECT_FALSE(same_picture(before, now)) << x << ", " << y;
  }
  EXPECT_FALSE(same_picture(before, plain(40, 21, {0, 0, 40, 20})));
  EXPECT_FALSE(same_picture(before, plain(40, 20, {1, 0, 40, 20})));
}

}  // namespace
}  // namespace handrail::engine

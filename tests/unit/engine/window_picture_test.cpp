#include "engine/window_picture.h"

#include <gtest/gtest.h>

namespace handrail::engine {
namespace {

Capture plain(int width, int height, Rect area, double scale) {
  Capture taken;
  taken.frame = make_frame({width, height});
  std::fill_n(writable(taken.frame), static_cast<std::size_t>(taken.frame.stride) * height, std::uint8_t{7});
  taken.area = area;
  taken.scale = scale;
  return taken;
}

void paint(Capture& taken, int x, int y) {
  writable(taken.frame)[static_cast<std::size_t>(y) * taken.frame.stride + static_cast<std::size_t>(x) * 4] = 99;
}

TEST(WindowPicture, places_a_part_of_the_desktop_in_its_pixels) {
  const Capture taken = plain(40, 20, {100, 50, 20, 10}, 2);
  const Box box = box_in(taken, {105, 52, 5, 4});
  EXPECT_EQ(std::tie(box.left, box.top, box.right, box.bottom), std::make_tuple(10, 4, 20, 12));
  const Box cut = box_in(taken, {90, 40, 1000, 1000});
  EXPECT_EQ(std::tie(cut.left, cut.top, cut.right, cut.bottom), std::make_tuple(0, 0, 40, 20));
}

TEST(WindowPicture, tells_what_changed_in_a_place_from_the_rest) {
  const Capture before = plain(40, 20, {0, 0, 40, 20}, 1);
  const Box box{10, 5, 20, 10};
  struct Row {
    int x, y;
    bool inside;
  };
  for (const Row row : {Row{10, 5, true}, Row{19, 9, true}, Row{9, 5, false}, Row{20, 9, false}, Row{15, 4, false},
                        Row{15, 10, false}}) {
    Capture now = own_copy(before);
    EXPECT_FALSE(difference(before, now, box).inside || difference(before, now, box).outside);
    paint(now, row.x, row.y);
    const Difference found = difference(before, now, box);
    EXPECT_EQ(std::make_pair(found.inside, found.outside), std::make_pair(row.inside, !row.inside))
        << row.x << ", " << row.y;
  }
  EXPECT_TRUE(difference(before, plain(40, 21, {0, 0, 40, 21}, 1), box).outside);
  EXPECT_TRUE(difference(before, plain(40, 20, {1, 0, 40, 20}, 1), box).outside);
}

}  // namespace
}  // namespace handrail::engine

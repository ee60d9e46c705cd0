#include "vision/diff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "unit/vision/images.h"

namespace handrail::vision {
namespace {

Frame copy(const Frame& frame) {
  Frame other = make_frame(frame.size());
  std::copy(frame.row(0), frame.row(0) + frame.stride * static_cast<std::size_t>(frame.height), writable(other));
  return other;
}

TEST(Diff, EqualFramesHaveNoChange) {
  const Frame frame = screen({300, 200});
  const Change change = compare(frame, copy(frame));
  EXPECT_FALSE(change.visible());
  EXPECT_EQ(change.percent, 0);
  EXPECT_TRUE(change.boxes.empty());
}

TEST(Diff, TellsTheShareAndTheBox) {
  Frame before = make_frame({400, 250});
  Frame after = copy(before);
  fill(after, {100, 60, 50, 20}, 0xFFFFFF);
  const Change change = compare(before, after);
  EXPECT_TRUE(change.visible());
  EXPECT_DOUBLE_EQ(change.percent, 1.0);
  EXPECT_EQ(change.boxes, (std::vector<PixelRect>{{100, 60, 50, 20}}));
}

TEST(Diff, AreasApartAreBoxesApart) {
  Frame before = make_frame({640, 480});
  Frame after = copy(before);
  fill(after, {10, 400, 30, 10}, 0x00FF00);
  fill(after, {500, 20, 100, 90}, 0xFF0000);
  EXPECT_EQ(compare(before, after).boxes, (std::vector<PixelRect>{{500, 20, 100, 90}, {10, 400, 30, 10}}));
}

TEST(Diff, ATenthOfAPercentIsTheThreshold) {
  Frame before = make_frame({1000, 100});
  Frame after = copy(before);
  fill(after, {0, 0, 99, 1}, 0xFFFFFF);
  EXPECT_FALSE(compare(before, after).visible());
  fill(after, {0, 0, 100, 1}, 0xFFFFFF);
  EXPECT_TRUE(compare(before, after).visible());
}

TEST(Diff, ADeltaOfTenIsNotSeen) {
  Frame before = make_frame({64, 64});
  Frame after = copy(before);
  fill(after, {0, 0, 64, 64}, 0x0A0A0A);
  EXPECT_EQ(compare(before, after).percent, 0);
  fill(after, {0, 0, 64, 64}, 0x0B0B0B);
  EXPECT_EQ(compare(before, after).percent, 100);
  // Blue weighs little: 80 of it is not yet eleven of grey.
  fill(after, {0, 0, 64, 64}, 0x000050);
  EXPECT_EQ(compare(before, after).percent, 0);
}

TEST(Diff, TheUnusedByteDoesNotCount) {
  Frame before = make_frame({64, 64});
  Frame after = copy(before);
  fill(after, {0, 0, 64, 64}, 0xFF000000);
  EXPECT_EQ(compare(before, after).percent, 0);
}

TEST(Diff, ANewSizeIsSaidAsSuch) {
  const Change change = compare(make_frame({64, 64}), make_frame({64, 65}));
  EXPECT_TRUE(change.size_changed);
  EXPECT_TRUE(change.visible());
  EXPECT_TRUE(change.boxes.empty());
}

RC_GTEST_PROP(Diff, BoxesHoldEveryChangedPixelAndAreDisjoint, ()) {
  const Size size{*rc::gen::inRange(1, 500), *rc::gen::inRange(1, 400)};
  Frame before = make_frame(size);
  Frame after = copy(before);
  const auto points = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, size.width), rc::gen::inRange(0, size.height)));
  for (const auto& [x, y] : points) fill(after, {x, y, 1, 1}, 0xFFFFFF);
  const std::size_t most = *rc::gen::inRange<std::size_t>(1, 9);
  const Change change = compare(before, after, most);
  RC_ASSERT(change.boxes.size() <= most);
  for (const auto& [x, y] : points) {
    const PixelRect pixel{x, y, 1, 1};
    RC_ASSERT(std::any_of(change.boxes.begin(), change.boxes.end(),
                          [&](const PixelRect& box) { return intersect(box, pixel) == pixel; }));
  }
  for (std::size_t i = 0; i < change.boxes.size(); ++i) {
    RC_ASSERT(intersect(change.boxes[i], {0, 0, size.width, size.height}) == change.boxes[i]);
    for (std::size_t k = i + 1; k < change.boxes.size(); ++k) {
      RC_ASSERT(intersect(change.boxes[i], change.boxes[k]).empty());
    }
  }
}

}  // namespace
}  // namespace handrail::vision

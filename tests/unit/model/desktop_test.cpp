#include "model/desktop.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace handrail {
namespace {

Display display_of(int id, Point origin, PixelRect pixels, double scale) {
  return {id,
          "d" + std::to_string(id),
          {origin.x, origin.y, pixels.width / scale, pixels.height / scale},
          pixels,
          scale,
          id == 0};
}

RC_GTEST_PROP(Desktop, APixelComesBackFromItsPoint, ()) {
  const double scale = *rc::gen::element(1.0, 1.25, 1.5, 1.75, 2.0, 3.0);
  const PixelRect pixels{*rc::gen::element(0, 1920, 3840), *rc::gen::element(0, 1080), *rc::gen::inRange(1, 8000),
                         *rc::gen::inRange(1, 8000)};
  const Display display = display_of(0, {*rc::gen::element(0.0, 1536.0, 1920.0), 0}, pixels, scale);
  const PixelPoint pixel{pixels.x + *rc::gen::inRange(0, pixels.width), pixels.y + *rc::gen::inRange(0, pixels.height)};
  const Point point = to_point(display, pixel);
  RC_ASSERT(display.bounds.contains(point));
  RC_ASSERT(to_pixel(display, point) == pixel);
}

TEST(Desktop, TheFirstPointOfAPixelIsThatPixel) {
  const Display display = display_of(0, {0, 0}, {0, 0, 2000, 1000}, 1.25);
  for (int x = 0; x < 2000; ++x) EXPECT_EQ(to_pixel(display, {x / 1.25, 0}), (PixelPoint{x, 0}));
}

TEST(Desktop, PointsOutsideAreBroughtToTheEdge) {
  const Display display = display_of(1, {1920, 0}, {1920, 0, 800, 600}, 1);
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_pixel(display, {1e300, 1e300}), (PixelPoint{2719, 599}));
  EXPECT_EQ(to_pixel(display, {-1e300, -inf}), (PixelPoint{1920, 0}));
  EXPECT_EQ(to_pixel(display, {inf, nan}), (PixelPoint{2719, 0}));
}

TEST(Desktop, FindsTheDisplayUnderAPoint) {
  const std::vector<Display> displays{display_of(0, {0, 0}, {0, 0, 1920, 1080}, 1),
                                      display_of(1, {1920, 0}, {1920, 0, 2560, 1600}, 2)};
  EXPECT_EQ(display_at(displays, {0, 0})->id, 0);
  EXPECT_EQ(display_at(displays, {1919.9, 1079.9})->id, 0);
  EXPECT_EQ(display_at(displays, {1920, 0})->id, 1);
  EXPECT_EQ(display_at(displays, {3199.9, 799.9})->id, 1);
  EXPECT_EQ(display_at(displays, {3200, 0}), nullptr);
  EXPECT_EQ(display_at(displays, {0, 1080}), nullptr);
  EXPECT_EQ(display_at(displays, {-0.1, 0}), nullptr);
  EXPECT_EQ(display_at({}, {0, 0}), nullptr);
}

TEST(Desktop, TheStampTellsLayoutsApart) {
  const std::vector<Display> one{display_of(0, {0, 0}, {0, 0, 1920, 1080}, 1)};
  auto other = one;
  EXPECT_EQ(layout_stamp(one), layout_stamp(other));
  other[0].pixels.width = 1921;
  EXPECT_NE(layout_stamp(one), layout_stamp(other));
  other = one;
  other[0].scale = 1.25;
  EXPECT_NE(layout_stamp(one), layout_stamp(other));
  other = one;
  other.push_back(display_of(1, {1920, 0}, {1920, 0, 800, 600}, 1));
  EXPECT_NE(layout_stamp(one), layout_stamp(other));
  EXPECT_NE(layout_stamp({}), layout_stamp(one));
}

}  // namespace
}  // namespace handrail

#include "model/look.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "model/desktop.h"

namespace handrail {
namespace {

constexpr std::array kImageBases{Basis::pixels, Basis::normalized_0_100, Basis::normalized_0_1000};

double far_edge(const Look& look, Basis basis, bool horizontal) {
  if (basis == Basis::normalized_0_100) return 100;
  if (basis == Basis::normalized_0_1000) return 1000;
  return horizontal ? look.image.width : look.image.height;
}

// A look at one display of several, at one of the usual scales, seen smaller than it is.
Look any_look() {
  const double scale = *rc::gen::element(1.0, 1.25, 2.0);
  const int width = *rc::gen::inRange(64, 4000), height = *rc::gen::inRange(64, 3000);
  Look look;
  look.id = "look";
  look.scale = scale;
  look.area = {*rc::gen::element(0.0, 1920.0, 2560.0), *rc::gen::element(0.0, 1080.0), width / scale, height / scale};
  const int divisor = *rc::gen::inRange(1, 4);
  look.image = {width / divisor, height / divisor};
  return look;
}

TEST(Look, ConvertsTheVectorOfTheSpecification) {
  Look look;
  look.area = {0, 0, 1280, 800};
  look.image = {1389, 868};
  look.scale = 2;
  EXPECT_EQ(to_desktop(look, {694.5, 434}, Basis::pixels, "coordinate").value(), (Point{640, 400}));
  EXPECT_EQ(from_desktop(look, {640, 400}, Basis::pixels), (Point{694.5, 434}));
}

TEST(Look, AddsTheOriginOfItsDisplay) {
  Look look;
  look.area = {1920, 120, 1280, 800};
  look.image = {640, 400};
  EXPECT_EQ(to_desktop(look, {0, 0}, Basis::pixels, "c").value(), (Point{1920, 120}));
  EXPECT_EQ(to_desktop(look, {320, 200}, Basis::pixels, "c").value(), (Point{2560, 520}));
  EXPECT_EQ(to_desktop(look, {50, 50}, Basis::normalized_0_100, "c").value(), (Point{2560, 520}));
  EXPECT_EQ(to_desktop(look, {500, 500}, Basis::normalized_0_1000, "c").value(), (Point{2560, 520}));
}

TEST(Look, TheEndOfANormalisedRangeIsTheLastPixel) {
  for (const double scale : {1.0, 1.25, 2.0}) {
    Look look;
    look.scale = scale;
    look.area = {0, 0, 1000 / scale, 500 / scale};
    look.image = {1000, 500};
    const Display display{0, "d", look.area, {0, 0, 1000, 500}, scale, true};
    for (const Basis basis : {Basis::normalized_0_100, Basis::normalized_0_1000}) {
      const double end = far_edge(look, basis, true);
      const Point corner = to_desktop(look, {end, end}, basis, "c").value();
      EXPECT_TRUE(look.area.contains(corner));
      EXPECT_EQ(to_pixel(display, corner), (PixelPoint{999, 499}));
    }
  }
}

TEST(Look, RefusesWhatIsNotInside) {
  Look look;
  look.area = {100, 100, 1280, 800};
  look.image = {640, 400};
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto code = [&look](Point at, Basis basis) {
    const auto result = to_desktop(look, at, basis, "coordinate");
    EXPECT_FALSE(result.ok()) << at.x << ", " << at.y;
    if (result.ok()) return Code::internal;
    EXPECT_EQ(result.error().field, "coordinate");
    EXPECT_FALSE(result.error().expected.empty());
    EXPECT_EQ(result.error().side_effects, SideEffects::none);
    return result.error().code;
  };
  for (const Basis basis : {Basis::pixels, Basis::normalized_0_100, Basis::normalized_0_1000, Basis::points}) {
    for (const double bad : {nan, inf, -inf, -1.0, -0.001}) {
      EXPECT_EQ(code({bad, 5}, basis), Code::argument_invalid);
      EXPECT_EQ(code({5, bad}, basis), Code::argument_invalid);
    }
  }
  EXPECT_EQ(code({640, 5}, Basis::pixels), Code::argument_invalid);
  EXPECT_EQ(code({5, 400}, Basis::pixels), Code::argument_invalid);
  EXPECT_EQ(code({100.01, 5}, Basis::normalized_0_100), Code::argument_invalid);
  EXPECT_EQ(code({5, 1000.01}, Basis::normalized_0_1000), Code::argument_invalid);
  EXPECT_TRUE(to_desktop(look, {639.99, 399.99}, Basis::pixels, "c").ok());
}

TEST(Look, WithoutAnImageOnlyPointsMeanAnything) {
  const Look none;
  for (const Basis basis : kImageBases) EXPECT_FALSE(to_desktop(none, {0, 0}, basis, "c").ok());
  EXPECT_EQ(to_desktop(none, {7, 8}, Basis::points, "c").value(), (Point{7, 8}));
}

TEST(Look, PointsReachOtherDisplays) {
  Look look;
  look.area = {0, 0, 1280, 800};
  look.image = {640, 400};
  EXPECT_EQ(to_desktop(look, {2000, 900}, Basis::points, "c").value(), (Point{2000, 900}));
  EXPECT_EQ(from_desktop(look, {2000, 900}, Basis::points), (Point{2000, 900}));
}

RC_GTEST_PROP(Look, EveryBasisComesBack, ()) {
  const Look look = any_look();
  for (const Basis basis : kImageBases) {
    const double far_x = far_edge(look, basis, true), far_y = far_edge(look, basis, false);
    const Point at{far_x * *rc::gen::inRange(0, 1000) / 1000.0, far_y * *rc::gen::inRange(0, 1000) / 1000.0};
    const auto point = to_desktop(look, at, basis, "c");
    RC_ASSERT(point.ok());
    RC_ASSERT(look.area.contains(*point));
    const Point back = from_desktop(look, *point, basis);
    // The last half device pixel is pulled inside; all else returns as it was.
    RC_ASSERT(std::abs(back.x - at.x) <= 0.5 / look.scale * far_x / look.area.width + 1e-9);
    RC_ASSERT(std::abs(back.y - at.y) <= 0.5 / look.scale * far_y / look.area.height + 1e-9);
    if (at.x < far_x * 0.98 && at.y < far_y * 0.98) {
      RC_ASSERT(std::abs(back.x - at.x) < 1e-6);
      RC_ASSERT(std::abs(back.y - at.y) < 1e-6);
    }
  }
}

RC_GTEST_PROP(Look, AllBasesNameTheSamePlace, ()) {
  const Look look = any_look();
  const double x = *rc::gen::inRange(0, 980) / 1000.0, y = *rc::gen::inRange(0, 980) / 1000.0;
  const Point wanted{look.area.x + x * look.area.width, look.area.y + y * look.area.height};
  for (const Basis basis : {Basis::pixels, Basis::normalized_0_100, Basis::normalized_0_1000, Basis::points}) {
    const Point said = from_desktop(look, wanted, basis);
    const auto point = to_desktop(look, said, basis, "c");
    RC_ASSERT(point.ok());
    RC_ASSERT(std::abs(point->x - wanted.x) < 1e-6);
    RC_ASSERT(std::abs(point->y - wanted.y) < 1e-6);
  }
}

RC_GTEST_PROP(Look, OutsideIsNeverAccepted, ()) {
  const Look look = any_look();
  const double beyond = *rc::gen::inRange(0, 100000) / 7.0;
  RC_ASSERT(!to_desktop(look, {look.image.width + beyond, 1}, Basis::pixels, "c").ok());
  RC_ASSERT(!to_desktop(look, {1, look.image.height + beyond}, Basis::pixels, "c").ok());
  RC_ASSERT(!to_desktop(look, {1, -beyond - 1e-9}, Basis::pixels, "c").ok());
}

}  // namespace
}  // namespace handrail

#include "desk.h"
#include "platform/sim/paint.h"

namespace handrail::sim {
namespace {

Colour pixel(const Frame& frame, int x, int y) {
  const std::uint8_t* at = frame.row(y) + static_cast<std::size_t>(x) * 4;
  return {at[2], at[1], at[0]};
}

Capture shoot(SimComputer& sim, const CaptureRequest& request) {
  return sim.screen()->capture(request, soon()).value();
}

class SimScreenAtScale : public ::testing::TestWithParam<double> {};

TEST_P(SimScreenAtScale, CapturesDevicePixelsOfLogicalPoints) {
  const double scale = GetParam();
  SimComputer sim(SimSpec{.displays = {{"one", {0, 0, 1280, 800}, scale}}});
  sim.add_window({.bounds = {100, 100, 400, 300}, .colour = {200, 10, 20}});
  const Capture whole = shoot(sim, {});
  EXPECT_EQ(whole.frame.size(), (Size{static_cast<int>(1280 * scale), static_cast<int>(800 * scale)}));
  EXPECT_EQ(whole.scale, scale);
  const auto at = [scale](double value) { return static_cast<int>(value * scale); };
  EXPECT_EQ(pixel(whole.frame, at(300), at(250)), (Colour{200, 10, 20}));
  EXPECT_EQ(pixel(whole.frame, at(50), at(50)), kBackground);
  EXPECT_EQ(pixel(whole.frame, at(300), at(110)), kFocusedFrame);

  const Capture region = shoot(sim, of_region({300, 240, 40, 20}));
  EXPECT_EQ(region.frame.size(), (Size{at(40), at(20)}));
  EXPECT_EQ(region.area, (Rect{300, 240, 40, 20}));
  EXPECT_EQ(pixel(region.frame, 0, 0), (Colour{200, 10, 20}));
}

TEST_P(SimScreenAtScale, ThePointerStaysWithinItsPixel) {
  SimComputer sim(SimSpec{.displays = {{"one", {0, 0, 1280, 800}, GetParam()}}});
  for (const Point to : {Point{0, 0}, Point{1279, 799}, Point{1279.99, 799.99}, Point{640.4, 3.7}}) {
    ASSERT_TRUE(perform(sim, {MoveTo{to}}).ok());
    const Point read = sim.screen()->cursor(soon()).value();
    const Display display = sim.screen()->displays(soon()).value()[0];
    EXPECT_EQ(to_pixel(display, read), to_pixel(display, to));
  }
}

INSTANTIATE_TEST_SUITE_P(Scales, SimScreenAtScale, ::testing::Values(1.0, 1.25, 2.0));

TEST(SimScreen, DisplaysOfMixedScalesDoNotOverlapInPixels) {
  SimComputer sim(SimSpec{.displays = {{"a", {0, 0, 1280, 800}, 2}, {"b", {1280, 0, 1024, 768}, 1}}});
  const std::vector<Display> displays = sim.screen()->displays(soon()).value();
  ASSERT_EQ(displays.size(), 2u);
  EXPECT_TRUE(displays[0].primary);
  EXPECT_FALSE(displays[1].primary);
  EXPECT_EQ(displays[0].pixels, (PixelRect{0, 0, 2560, 1600}));
  EXPECT_EQ(displays[1].pixels, (PixelRect{2560, 0, 1024, 768}));
}

TEST(SimScreen, ShowsACoveredWindowAlone) {
  SimComputer sim;
  const WindowId below = sim.add_window({.bounds = {100, 100, 300, 200}, .colour = {255, 0, 0}});
  sim.add_window({.bounds = {150, 120, 300, 200}, .colour = {0, 255, 0}});
  EXPECT_EQ(pixel(shoot(sim, {}).frame, 200, 200), (Colour{0, 255, 0}));
  const Capture alone = shoot(sim, of_window(below));
  EXPECT_EQ(alone.frame.size(), (Size{300, 200}));
  EXPECT_EQ(pixel(alone.frame, 100, 100), (Colour{255, 0, 0}));
  EXPECT_FALSE(alone.frozen);
}

TEST(SimScreen, AMinimisedWindowIsFrozenAndNotOnTheDisplay) {
  SimComputer sim;
  const WindowId window = sim.add_window({.bounds = {100, 100, 300, 200}, .colour = {255, 0, 0}});
  ASSERT_TRUE(change(sim, window, WindowVerb::minimise).ok());
  const Capture alone = shoot(sim, of_window(window));
  EXPECT_TRUE(alone.frozen);
  EXPECT_EQ(pixel(alone.frame, 100, 100), (Colour{255, 0, 0}));
  EXPECT_EQ(pixel(shoot(sim, {}).frame, 200, 200), kBackground);
}

TEST(SimScreen, DrawsTheCursorOnlyWhenAsked) {
  SimComputer sim;
  ASSERT_TRUE(perform(sim, {MoveTo{{500, 500}}}).ok());
  CaptureRequest with_cursor;
  with_cursor.cursor = CursorInPicture::draw;
  EXPECT_EQ(pixel(shoot(sim, {}).frame, 504, 504), kBackground);
  EXPECT_EQ(pixel(shoot(sim, with_cursor).frame, 504, 504), (Colour{255, 255, 255}));
}

TEST(SimScreen, TypingClickingAndScrollingChangeThePicture) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  const auto bytes = [&] {
    const Frame frame = shoot(sim, of_window(window)).frame;
    return std::string(frame.row(0), frame.row(0) + frame.stride * static_cast<std::size_t>(frame.height));
  };
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  std::string before = bytes();
  EXPECT_EQ(bytes(), before);
  for (const std::vector<Step>& steps : {std::vector<Step>{TypeText{"a"}}, std::vector<Step>{TypeText{"é"}},
                                         click_steps(kButton), std::vector<Step>{MoveTo{kScroll}, Wheel{0, 1}}}) {
    const std::uint64_t count = sim.screen()->change_count(soon()).value();
    ASSERT_TRUE(perform(sim, steps).ok());
    const std::string after = bytes();
    EXPECT_NE(after, before);
    EXPECT_GT(sim.screen()->change_count(soon()).value(), count);
    before = after;
  }
}

TEST(SimScreen, ARegionOutsideTheDisplayIsRefused) {
  SimComputer sim;
  const auto outside = sim.screen()->capture(of_region({2000, 0, 10, 10}), soon());
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code, Code::argument_invalid);
}

}  // namespace
}  // namespace handrail::sim

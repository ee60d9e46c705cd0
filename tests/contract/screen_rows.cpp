#include "contract/suite.h"

namespace handrail::contract {
namespace {

using ScreenContract = Contract;

TEST_F(ScreenContract, OneDisplayIsPrimaryAndHasIdZero) {
  const auto displays = screen().displays(soon());
  ASSERT_OK(displays);
  ASSERT_EQ(displays->size(), 1u);
  const Display& only = displays->front();
  EXPECT_EQ(only.id, 0);
  EXPECT_TRUE(only.primary);
  EXPECT_FALSE(only.name.empty());
  EXPECT_EQ(only.bounds, (Rect{0, 0, 1280, 800}));
  EXPECT_EQ(only.pixels, (PixelRect{0, 0, 1280, 800}));
  EXPECT_EQ(only.scale, 1);
}

TEST_F(ScreenContract, SeveralDisplaysAreNumberedPrimaryFirst) {
  start(Layout::two);
  const auto displays = screen().displays(soon());
  ASSERT_OK(displays);
  ASSERT_EQ(displays->size(), 2u);
  EXPECT_EQ((*displays)[0].id, 0);
  EXPECT_EQ((*displays)[1].id, 1);
  EXPECT_TRUE((*displays)[0].primary);
  EXPECT_FALSE((*displays)[1].primary);
  EXPECT_EQ((*displays)[0].bounds, (Rect{0, 0, 1280, 800}));
  EXPECT_EQ((*displays)[1].bounds, (Rect{1280, 0, 1024, 600}));
  EXPECT_EQ((*displays)[1].pixels, (PixelRect{1280, 0, 1024, 600}));
}

TEST_F(ScreenContract, ADisplayIsCapturedWhole) {
  const OpenApp app = probe();
  const auto shot = screen().capture({}, soon());
  ASSERT_OK(shot);
  EXPECT_EQ(shot->frame.size(), (Size{1280, 800}));
  EXPECT_EQ(shot->area, (Rect{0, 0, 1280, 800}));
  EXPECT_EQ(shot->scale, 1);
  EXPECT_FALSE(shot->frozen);
  const Rect& c = app.content;
  for (const Point inside : {c.origin(), c.centre(), Point{c.x + c.width - 1, c.y + c.height - 1}}) {
    EXPECT_EQ(colour_at(*shot, inside), kRed);
  }
  EXPECT_NE(colour_at(*shot, {c.x + c.width + 20, c.y}), kRed);
}

TEST_F(ScreenContract, ARegionIsClippedToItsDisplay) {
  const OpenApp app = probe({0, 0, 400, 300});
  const auto shot = screen().capture(of_region(0, {-50, app.content.y, 150, 40}), soon());
  ASSERT_OK(shot);
  EXPECT_EQ(shot->area, (Rect{0, app.content.y, 100, 40}));
  EXPECT_EQ(shot->frame.size(), (Size{100, 40}));
  EXPECT_EQ(colour_at(*shot, {50, app.content.y + 20}), kRed);
}

TEST_F(ScreenContract, ARegionOutsideItsDisplayIsRefused) {
  EXPECT_CODE(screen().capture(of_region(0, {5000, 10, 100, 100}), soon()), Code::argument_invalid);
}

TEST_F(ScreenContract, EachDisplayShowsItsOwnPart) {
  start(Layout::two);
  const OpenApp app = probe({1400, 100, 400, 300});
  CaptureRequest second;
  second.display = 1;
  const auto shot = screen().capture(second, soon());
  ASSERT_OK(shot);
  EXPECT_EQ(shot->frame.size(), (Size{1024, 600}));
  EXPECT_EQ(shot->area, (Rect{1280, 0, 1024, 600}));
  EXPECT_EQ(colour_at(*shot, app.content.centre()), kRed);
  const auto region = screen().capture(of_region(1, {1500, 200, 10, 10}), soon());
  ASSERT_OK(region);
  EXPECT_EQ(region->area, (Rect{1500, 200, 10, 10}));
  EXPECT_EQ(colour_at(*region, {1505, 205}), kRed);
}

TEST_F(ScreenContract, AWindowIsCapturedWithItsFrame) {
  const OpenApp app = probe();
  const auto shot = screen().capture(of_window(app.window), soon());
  ASSERT_OK(shot);
  const DeskState state = desk().state();
  EXPECT_EQ(shot->area, state.find(app.window)->frame);
  EXPECT_EQ(shot->frame.width, static_cast<int>(shot->area.width));
  EXPECT_EQ(shot->frame.height, static_cast<int>(shot->area.height));
  EXPECT_EQ(colour_at(*shot, app.content.centre()), kRed);
  EXPECT_NE(colour_at(*shot, {app.content.centre().x, app.content.y - 2}), kRed) << "the frame is missing";
  EXPECT_FALSE(shot->frozen);
}

TEST_F(ScreenContract, ACoveredWindowIsCapturedWithItsOwnContent) {
  const OpenApp below = probe({100, 100, 400, 300}, kRed);
  const OpenApp above = desk().open_probe("above", {150, 120, 500, 400}, kGreen);
  const Point both = below.content.centre();
  ASSERT_TRUE(above.content.contains(both));
  const auto seen = screen().capture({}, soon());
  ASSERT_OK(seen);
  EXPECT_EQ(colour_at(*seen, both), kGreen);
  const auto shot = screen().capture(of_window(below.window), soon());
  ASSERT_OK(shot);
  EXPECT_EQ(colour_at(*shot, both), kRed);
  EXPECT_FALSE(shot->frozen);
}

TEST_F(ScreenContract, AMinimisedWindowIsItsLastPicture) {
  const OpenApp app = probe();
  ASSERT_OK(screen().capture(of_window(app.window), soon()));
  ASSERT_OK(change(app.window, WindowVerb::minimise));
  const auto seen = screen().capture({}, soon());
  ASSERT_OK(seen);
  EXPECT_NE(colour_at(*seen, app.content.centre()), kRed);
  const auto shot = screen().capture(of_window(app.window), soon());
  ASSERT_OK(shot);
  EXPECT_TRUE(shot->frozen);
  EXPECT_EQ(colour_at(*shot, app.content.centre()), kRed);
}

TEST_F(ScreenContract, UnknownDisplaysAndWindowsAreNotFound) {
  CaptureRequest request;
  request.display = 1;
  EXPECT_CODE(screen().capture(request, soon()), Code::not_found);
  request.display = -1;
  EXPECT_CODE(screen().capture(request, soon()), Code::not_found);
  EXPECT_CODE(screen().capture(of_window(0x7fffff1), soon()), Code::not_found);
  const OpenApp app = probe();
  desk().kill(app.window);
  EXPECT_CODE(screen().capture(of_window(app.window), soon()), Code::not_found);
}

TEST_F(ScreenContract, TheCursorIsInThePictureOnlyWhenAsked) {
  const OpenApp app = probe();
  const Point at = app.content.centre();
  ASSERT_OK(perform({MoveTo{at}}));
  const auto around = [&](CursorInPicture cursor) {
    CaptureRequest request = of_region(0, {at.x - 20, at.y - 20, 40, 40});
    request.cursor = cursor;
    const auto shot = screen().capture(request, soon());
    EXPECT_TRUE(shot.ok());
    int other = 0;
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 40; ++x) {
        if (colour_at(*shot, {shot->area.x + x, shot->area.y + y}) != kRed) ++other;
      }
    }
    return other;
  };
  EXPECT_EQ(around(CursorInPicture::leave_out), 0);
  EXPECT_GT(around(CursorInPicture::draw), 10);
}

TEST_F(ScreenContract, TheCursorIsReadBackWhereItWasMoved) {
  start(Layout::two);
  const auto displays = screen().displays(soon());
  ASSERT_OK(displays);
  for (const Display& display : *displays) {
    const Rect& b = display.bounds;
    for (const Point to : {b.origin(), Point{b.x + b.width - 1, b.y}, Point{b.x, b.y + b.height - 1},
                           Point{b.x + b.width - 1, b.y + b.height - 1}, b.centre(), Point{b.x + 10.6, b.y + 20.4}}) {
      const auto moved = perform({MoveTo{to}});
      ASSERT_OK(moved);
      EXPECT_EQ(moved->steps_done, 1u);
      const auto read = screen().cursor(soon());
      ASSERT_OK(read);
      EXPECT_NEAR_POINT(*read, to, 1);
      EXPECT_NEAR_POINT(desk().state().pointer, to, 1);
    }
  }
}

TEST_F(ScreenContract, TheChangeCountRisesWithAChange) {
  const OpenApp app = probe();
  const auto before = screen().change_count(soon());
  ASSERT_OK(before);
  ASSERT_OK(change(app.window, WindowVerb::move, {300, 250, 0, 0}));
  const auto woken = screen().wait_for_change(*before, soon(), {});
  ASSERT_OK(woken);
  EXPECT_GT(*woken, *before);
  const auto after = screen().change_count(soon());
  ASSERT_OK(after);
  EXPECT_GE(*after, *woken);
}

TEST_F(ScreenContract, WaitingForAChangeWakes) {
  const OpenApp app = probe();
  std::uint64_t seen = 0;
  // The desktop comes to rest first: what the window's arrival still draws is no answer.
  for (;;) {
    const auto next = screen().wait_for_change(seen, Deadline::in(Millis(300)), {});
    if (!next.ok()) {
      EXPECT_EQ(next.error().code, Code::timeout);
      break;
    }
    seen = *next;
  }
  Result<std::uint64_t> woken = make_error(Code::internal, "never asked");
  const TimePoint start = Clock::now();
  desk().meanwhile([&] { desk().kill(app.window); }, [&] { woken = screen().wait_for_change(seen, soon(), {}); });
  ASSERT_OK(woken);
  EXPECT_GT(*woken, seen);
  EXPECT_LT(millis_since(start), 3000);
}

TEST_F(ScreenContract, WaitingForAChangeCanBeCancelled) {
  std::stop_source source;
  const auto count = screen().change_count(soon());
  ASSERT_OK(count);
  Result<std::uint64_t> woken = make_error(Code::internal, "never asked");
  const TimePoint start = Clock::now();
  desk().meanwhile([&] { source.request_stop(); },
                   [&] { woken = screen().wait_for_change(*count + 1'000'000, soon(), source.get_token()); });
  EXPECT_CODE(woken, Code::cancelled);
  EXPECT_LT(millis_since(start), 3000);
}

}  // namespace
}  // namespace handrail::contract

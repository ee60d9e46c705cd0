#include "platform/x11/screen.h"

#include <gtest/gtest.h>
#include <xcb/xtest.h>

#include <thread>

#include "platform/x11/monitors.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using testing::XClient;
using testing::XServer;

Deadline soon() { return Deadline::in(Millis(3000)); }

// A server, our screen on it and the oracle's connection.
struct Desk {
  explicit Desk(testing::XServerOptions options = {})
      : x(std::move(options)),
        screen(std::make_shared<Connection>([this]() -> Result<std::string> { return x.name(); })) {
    // Opens the connection, so that windows made from here on are redirected.
    if (!screen.displays(soon()).ok()) throw std::runtime_error("no displays");
    client = std::make_unique<XClient>(x.name());
  }
  XServer x;
  X11Screen screen;
  std::unique_ptr<XClient> client;
};

CaptureRequest of_display(int id) {
  CaptureRequest request;
  request.display = id;
  return request;
}
CaptureRequest of_region(Rect region) {
  CaptureRequest request;
  request.region = region;
  return request;
}
CaptureRequest of_window(xcb_window_t window) {
  CaptureRequest request;
  request.window = window;
  return request;
}
CaptureRequest with_cursor(CaptureRequest request) {
  request.cursor = CursorInPicture::draw;
  return request;
}

std::uint32_t colour_at(const Frame& frame, int x, int y) {
  const std::uint8_t* p = frame.row(y) + x * 4;
  return static_cast<std::uint32_t>(p[2] << 16 | p[1] << 8 | p[0]);
}

// How many pixels have a colour.
int area_of(const Frame& frame, std::uint32_t colour) {
  int n = 0;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) n += colour_at(frame, x, y) == colour ? 1 : 0;
  }
  return n;
}

TEST(Screen, OneDisplayOfXvfb) {
  Desk desk;
  const auto displays = desk.screen.displays(soon());
  ASSERT_TRUE(displays.ok());
  ASSERT_EQ(displays->size(), 1U);
  EXPECT_EQ(displays->front().pixels, (PixelRect{0, 0, 1280, 800}));
  EXPECT_EQ(displays->front().bounds, (Rect{0, 0, 1280, 800}));
  EXPECT_TRUE(displays->front().primary);
  EXPECT_EQ(displays->front().scale, 1);
}

TEST(Screen, TwoMonitorsAreTwoDisplays) {
  Desk desk({{2304, 800}, false, {}});
  ASSERT_EQ(desk.screen.displays(soon())->size(), 1U);
  const Status defined = define_monitors(desk.x.name(), {{0, 0, 1280, 800}, {1280, 0, 1024, 768}});
  ASSERT_TRUE(defined.ok()) << to_text(defined.error());
  desk.client->open({{1280, 0, 1024, 768}, 0x00ff00, "right", true});
  const auto captured = desk.screen.capture(of_display(1), soon());
  ASSERT_TRUE(captured.ok()) << to_text(captured.error());
  EXPECT_EQ(captured->frame.size(), (Size{1024, 768}));
  EXPECT_EQ(captured->area, (Rect{1280, 0, 1024, 768}));
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 1024 * 768);
  const auto displays = desk.screen.displays(soon());
  ASSERT_EQ(displays->size(), 2U);
  EXPECT_EQ((*displays)[0].pixels, (PixelRect{0, 0, 1280, 800}));
  EXPECT_TRUE((*displays)[0].primary);
  EXPECT_EQ((*displays)[1].pixels, (PixelRect{1280, 0, 1024, 768}));
  const auto missing = desk.screen.capture(of_display(2), soon());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Code::not_found);
  EXPECT_EQ(missing.error().expected, "0 to 1");
}

TEST(Screen, ScaleComesFromTheResources) {
  EXPECT_EQ(scale_from_resources(""), 1);
  EXPECT_EQ(scale_from_resources("Xft.antialias:\t1\nXft.dpi:\t192\n"), 2);
  EXPECT_EQ(scale_from_resources("Xft.dpi: 120"), 1.25);
  EXPECT_EQ(scale_from_resources("Xft.dpi:\t72\n"), 1);
  EXPECT_EQ(scale_from_resources("Xft.dpi:\tlarge\n"), 1);

  Desk desk;
  const std::string resources = "Xft.dpi:\t192\n";
  xcb_change_property(desk.client->xcb(), XCB_PROP_MODE_REPLACE, desk.client->root(), XCB_ATOM_RESOURCE_MANAGER,
                      XCB_ATOM_STRING, 8, static_cast<std::uint32_t>(resources.size()), resources.data());
  desk.client->sync();
  desk.client->open({{100, 60, 40, 20}, 0x00ff00, "", true});
  const auto captured = desk.screen.capture(of_region(Rect{50, 30, 20, 10}), soon());
  ASSERT_TRUE(captured.ok());
  EXPECT_EQ(captured->scale, 2);
  EXPECT_EQ(captured->frame.size(), (Size{40, 20}));
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 800);
  EXPECT_EQ(desk.screen.displays(soon())->front().bounds, (Rect{0, 0, 640, 400}));
}

TEST(Screen, RegionIsClippedToTheDisplay) {
  Desk desk;
  desk.client->open({{1200, 700, 80, 100}, 0x0000ff, "", true});
  const auto captured = desk.screen.capture(of_region(Rect{1190, 690, 500, 500}), soon());
  ASSERT_TRUE(captured.ok());
  EXPECT_EQ(captured->area, (Rect{1190, 690, 90, 110}));
  EXPECT_EQ(area_of(captured->frame, 0x0000ff), 8000);
  EXPECT_EQ(colour_at(captured->frame, 10, 10), 0x0000ffU);
  EXPECT_NE(colour_at(captured->frame, 9, 10), 0x0000ffU);
  const auto outside = desk.screen.capture(of_region(Rect{5000, 0, 10, 10}), soon());
  ASSERT_FALSE(outside.ok());
  EXPECT_EQ(outside.error().code, Code::argument_invalid);
  EXPECT_EQ(outside.error().field, "region");
}

TEST(Screen, ACoveredWindowShowsItself) {
  Desk desk({{1280, 800}, true, {}});
  const xcb_window_t below = desk.client->open({{100, 100, 300, 200}, 0x00ff00, "below"});
  const xcb_window_t above = desk.client->open({{50, 50, 600, 500}, 0xff0000, "above"});
  const auto captured = desk.screen.capture(of_window(below), soon());
  ASSERT_TRUE(captured.ok()) << to_text(captured.error());
  EXPECT_FALSE(captured->frozen);
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 300 * 200);
  EXPECT_EQ(area_of(captured->frame, 0xff0000), 0);
  // What it draws while covered is seen too.
  desk.client->fill(below, 0x0000ff);
  EXPECT_EQ(area_of(desk.screen.capture(of_window(below), soon())->frame, 0x0000ff), 300 * 200);
  EXPECT_EQ(area_of(desk.screen.capture(of_window(above), soon())->frame, 0xff0000), 600 * 500);
}

TEST(Screen, AResizedWindowIsNamedAgain) {
  Desk desk;
  const xcb_window_t window = desk.client->open({{100, 100, 300, 200}, 0x00ff00, "", true});
  ASSERT_EQ(desk.screen.capture(of_window(window), soon())->frame.size(), (Size{300, 200}));
  const std::uint32_t size[] = {500, 400};
  xcb_configure_window(desk.client->xcb(), window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
  desk.client->sync();
  const auto captured = desk.screen.capture(of_window(window), soon());
  ASSERT_TRUE(captured.ok());
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 500 * 400);
}

TEST(Screen, AWindowPartlyOffTheScreenIsWhole) {
  Desk desk;
  const xcb_window_t window = desk.client->open({{-100, 700, 300, 200}, 0x00ff00, "", true});
  const auto captured = desk.screen.capture(of_window(window), soon());
  ASSERT_TRUE(captured.ok()) << to_text(captured.error());
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 300 * 200);
  EXPECT_EQ(captured->area, (Rect{-100, 700, 300, 200}));
}

TEST(Screen, AnUnmappedWindowIsFrozenOrUnknown) {
  Desk desk;
  const xcb_window_t window = desk.client->open({{100, 100, 300, 200}, 0x00ff00, "", true});
  const xcb_window_t never_seen = desk.client->open({{100, 100, 30, 20}, 0x00ff00, "", true});
  ASSERT_TRUE(desk.screen.capture(of_window(window), soon()).ok());
  xcb_unmap_window(desk.client->xcb(), window);
  xcb_unmap_window(desk.client->xcb(), never_seen);
  desk.client->sync();
  const auto frozen = desk.screen.capture(of_window(window), soon());
  ASSERT_TRUE(frozen.ok()) << to_text(frozen.error());
  EXPECT_TRUE(frozen->frozen);
  EXPECT_EQ(area_of(frozen->frame, 0x00ff00), 300 * 200);
  const auto unknown = desk.screen.capture(of_window(never_seen), soon());
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, Code::not_found);
  xcb_map_window(desk.client->xcb(), window);
  desk.client->fill(window, 0x0000ff);
  const auto live = desk.screen.capture(of_window(window), soon());
  ASSERT_TRUE(live.ok());
  EXPECT_FALSE(live->frozen);
  EXPECT_EQ(area_of(live->frame, 0x0000ff), 300 * 200);
  xcb_destroy_window(desk.client->xcb(), window);
  desk.client->sync();
  EXPECT_EQ(desk.screen.capture(of_window(window), soon()).error().code, Code::not_found);
}

TEST(Screen, TheCursorIsDrawnWhereItPoints) {
  Desk desk;
  desk.client->open({{0, 0, 1280, 800}, 0x808080, "", true});
  xcb_test_fake_input(desk.client->xcb(), XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, desk.client->root(), 640, 400, 0);
  // The oracle gives its own cursor: a solid 16 by 16 square in red with the hot spot at (3, 5).
  const xcb_pixmap_t shape = xcb_generate_id(desk.client->xcb());
  xcb_create_pixmap(desk.client->xcb(), 1, shape, desk.client->root(), 16, 16);
  const xcb_gcontext_t gc = xcb_generate_id(desk.client->xcb());
  const std::uint32_t one = 1;
  xcb_create_gc(desk.client->xcb(), gc, shape, XCB_GC_FOREGROUND, &one);
  const xcb_rectangle_t all{0, 0, 16, 16};
  xcb_poly_fill_rectangle(desk.client->xcb(), shape, gc, 1, &all);
  const xcb_cursor_t cursor = xcb_generate_id(desk.client->xcb());
  xcb_create_cursor(desk.client->xcb(), cursor, shape, shape, 0xffff, 0, 0, 0, 0, 0, 3, 5);
  const xcb_window_t window = desk.client->open({{0, 0, 1280, 800}, 0x808080, "", true});
  xcb_change_window_attributes(desk.client->xcb(), window, XCB_CW_CURSOR, &cursor);
  desk.client->sync();

  EXPECT_EQ(desk.screen.cursor(soon()).value(), (Point{640.5, 400.5}));
  const auto plain = desk.screen.capture({}, soon());
  EXPECT_EQ(area_of(plain->frame, 0x808080), 1280 * 800);
  const auto drawn = desk.screen.capture(with_cursor({}), soon());
  ASSERT_TRUE(drawn.ok()) << to_text(drawn.error());
  EXPECT_EQ(area_of(drawn->frame, 0xff0000), 256);
  EXPECT_EQ(colour_at(drawn->frame, 637, 395), 0xff0000U);
  EXPECT_EQ(colour_at(drawn->frame, 636, 395), 0x808080U);
  EXPECT_EQ(colour_at(drawn->frame, 652, 410), 0xff0000U);
  // At the edge of a region only a part of it is seen.
  const auto region = desk.screen.capture(with_cursor(of_region(Rect{640, 400, 100, 100})), soon());
  EXPECT_EQ(area_of(region->frame, 0xff0000), 13 * 11);
}

TEST(Screen, FramesKeepTheirPixelsWhileHeld) {
  Desk desk;
  const xcb_window_t window = desk.client->open({{0, 0, 1280, 800}, 0, "", true});
  std::vector<Frame> held;
  for (std::uint32_t i = 1; i <= 5; ++i) {
    desk.client->fill(window, i * 0x101010);
    const auto captured = desk.screen.capture({}, soon());
    ASSERT_TRUE(captured.ok());
    held.push_back(captured->frame);
  }
  for (std::uint32_t i = 1; i <= 5; ++i) EXPECT_EQ(area_of(held[i - 1], i * 0x101010), 1280 * 800);
}

TEST(Screen, WorksWithoutSharedMemory) {
  Desk desk({{640, 480}, false, {"-extension", "MIT-SHM"}});
  desk.client->open({{10, 10, 50, 40}, 0x00ff00, "", true});
  const auto captured = desk.screen.capture({}, soon());
  ASSERT_TRUE(captured.ok()) << to_text(captured.error());
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 2000);
}

TEST(Screen, CountsChangesAndWaitsForThem) {
  Desk desk;
  const xcb_window_t window = desk.client->open({{10, 10, 50, 40}, 0x00ff00, "", true});
  const xcb_window_t other = desk.client->open({{500, 500, 50, 40}, 0x00ff00, "", true});
  const auto first = desk.screen.change_count(soon());
  ASSERT_TRUE(first.ok()) << to_text(first.error());
  EXPECT_EQ(desk.screen.change_count(soon()).value(), first.value());
  std::uint64_t seen = *first;
  for (const xcb_window_t painted : {window, window, other, window}) {
    desk.client->fill(painted, 0x0000ff);
    const auto now = desk.screen.change_count(soon());
    ASSERT_TRUE(now.ok());
    EXPECT_GT(*now, seen);
    seen = *now;
  }
  const TimePoint start = Clock::now();
  const auto nothing = desk.screen.wait_for_change(seen, Deadline::in(Millis(80)), {});
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().code, Code::timeout);
  EXPECT_GE(millis_since(start), 79);

  std::thread painter([&] { desk.client->fill(window, 0xff0000); });
  const auto changed = desk.screen.wait_for_change(seen, soon(), {});
  painter.join();
  ASSERT_TRUE(changed.ok()) << to_text(changed.error());
  EXPECT_GT(*changed, seen);
}

TEST(Screen, AnAnimationNobodyAsksForCostsNothing) {
  Desk desk;
  const xcb_window_t window = desk.client->open({{10, 10, 50, 40}, 0x00ff00, "", true});
  const auto before = desk.screen.change_count(soon());
  for (std::uint32_t i = 0; i < 100; ++i) desk.client->fill(window, i);
  const auto after = desk.screen.change_count(soon());
  EXPECT_GT(*after, *before);
  EXPECT_LE(*after, *before + 2);
}

TEST(Screen, SurvivesTheRestartOfItsServer) {
  Desk desk;
  ASSERT_TRUE(desk.screen.capture({}, soon()).ok());
  const auto count = desk.screen.change_count(soon());
  desk.x.kill();
  for (int i = 0; i < 2; ++i) {
    const auto lost = desk.screen.capture({}, soon());
    ASSERT_FALSE(lost.ok());
    EXPECT_EQ(lost.error().code, Code::backend_lost);
  }
  EXPECT_EQ(desk.screen.displays(soon()).error().code, Code::backend_lost);
  desk.x.start();
  XClient client(desk.x.name());
  client.open({{10, 10, 50, 40}, 0x00ff00, "", true});
  const auto captured = desk.screen.capture({}, soon());
  ASSERT_TRUE(captured.ok()) << to_text(captured.error());
  EXPECT_EQ(area_of(captured->frame, 0x00ff00), 2000);
  EXPECT_GT(desk.screen.change_count(soon()).value(), *count);
}

TEST(Screen, AFrozenServerIsATimeout) {
  Desk desk;
  ASSERT_TRUE(desk.screen.capture({}, soon()).ok());
  desk.x.freeze();
  const TimePoint start = Clock::now();
  const auto captured = desk.screen.capture({}, Deadline::in(Millis(100)));
  ASSERT_FALSE(captured.ok());
  EXPECT_EQ(captured.error().code, Code::timeout);
  EXPECT_LT(millis_since(start), 2500);
  desk.x.thaw();
  EXPECT_TRUE(desk.screen.capture({}, soon()).ok());
}

}  // namespace
}  // namespace handrail::x11

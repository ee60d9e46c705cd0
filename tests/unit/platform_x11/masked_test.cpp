// Pictures that show granted windows only. The oracle is a colour that only the window which may not be seen has.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "platform/x11/mask.h"
#include "platform/x11/screen.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using testing::XClient;
using testing::XServer;

constexpr std::uint32_t kCanary = 0xfe01ba, kGranted = 0x10c040;

Deadline soon() { return Deadline::in(Millis(20000)); }
int trials(int few, int many) { return std::getenv("HANDRAIL_FULL") != nullptr ? many : few; }

std::uint32_t colour_at(const Frame& frame, int x, int y) {
  const std::uint8_t* p = frame.row(y) + x * 4;
  return static_cast<std::uint32_t>(p[2] << 16 | p[1] << 8 | p[0]);
}

int area_of(const Frame& frame, std::uint32_t colour) {
  int n = 0;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) n += colour_at(frame, x, y) == colour ? 1 : 0;
  }
  return n;
}

// Two apps on one desktop. They are one process here, so the ruling goes by connection, not by program.
struct Desk {
  explicit Desk(testing::XServerOptions options = {})
      : x(std::move(options)),
        screen(std::make_shared<Connection>([this]() -> Result<std::string> { return x.name(); }),
               [](std::int64_t pid) {
                 AppIdentity app;
                 app.pid = pid;
                 app.file.inode = 1;
                 return app;
               }) {
    if (!screen.displays(soon()).ok()) throw std::runtime_error("no displays");
    granted = std::make_unique<XClient>(x.name());
    hidden = std::make_unique<XClient>(x.name());
    mask = ~xcb_get_setup(granted->xcb())->resource_id_mask;
  }
  CaptureRequest masked() const {
    CaptureRequest request;
    const std::uint32_t base = xcb_generate_id(granted->xcb()) & mask;
    request.shows = [base, bits = mask](const Receiver& owner) {
      return owner.kind == ReceiverKind::app && owner.app.pid == ::getpid() && (owner.window & bits) == base;
    };
    return request;
  }
  CaptureRequest masked(xcb_window_t window) const {
    CaptureRequest request = masked();
    request.window = window;
    return request;
  }
  Capture look(const CaptureRequest& request) {
    auto captured = screen.capture(request, soon());
    if (!captured.ok()) throw std::runtime_error(to_text(captured.error()));
    return std::move(*captured);
  }

  XServer x;
  X11Screen screen;
  std::unique_ptr<XClient> granted, hidden;
  std::uint32_t mask = 0;
};

// A window with an alpha channel, all of it in one colour.
xcb_window_t open_translucent(XClient& client, const PixelRect& at, std::uint32_t argb) {
  xcb_connection_t* xcb = client.xcb();
  xcb_visualid_t visual = 0;
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(xcb)).data;
  for (auto depth = xcb_screen_allowed_depths_iterator(screen); depth.rem > 0; xcb_depth_next(&depth)) {
    if (depth.data->depth == 32) visual = xcb_depth_visuals_iterator(depth.data).data->visual_id;
  }
  const xcb_colormap_t colours = xcb_generate_id(xcb);
  xcb_create_colormap(xcb, XCB_COLORMAP_ALLOC_NONE, colours, client.root(), visual);
  const xcb_window_t window = xcb_generate_id(xcb);
  const std::uint32_t values[] = {argb, 0, 1, colours};
  xcb_create_window(xcb, 32, window, client.root(), static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y),
                    static_cast<std::uint16_t>(at.width), static_cast<std::uint16_t>(at.height), 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, visual,
                    XCB_CW_BACK_PIXEL | XCB_CW_BORDER_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_COLORMAP, values);
  xcb_map_window(xcb, window);
  client.sync();
  return window;
}

TEST(Masked, OnlyGrantedWindowsAreInThePicture) {
  Desk desk;
  desk.granted->open({{100, 100, 400, 300}, kGranted, "", true});
  desk.hidden->open({{300, 200, 400, 300}, kCanary, "", true});
  EXPECT_EQ(area_of(desk.look({}).frame, kCanary), 400 * 300);
  const Capture seen = desk.look(desk.masked());
  EXPECT_EQ(area_of(seen.frame, kCanary), 0);
  EXPECT_EQ(area_of(seen.frame, kGranted), 400 * 300 - 200 * 200);
  EXPECT_EQ(area_of(seen.frame, kFlat), 1280 * 800 - (400 * 300 - 200 * 200));
  EXPECT_EQ(seen.hidden, 1);
  CaptureRequest elsewhere = desk.masked();
  elsewhere.region = Rect{100, 100, 150, 100};
  EXPECT_EQ(desk.look(elsewhere).hidden, 0);
  EXPECT_EQ(area_of(desk.look(elsewhere).frame, kGranted), 150 * 100);
}

TEST(Masked, AGrantedWindowAboveIsWhole) {
  Desk desk;
  desk.hidden->open({{0, 0, 1280, 800}, kCanary, "", true});
  desk.granted->open({{100, 100, 400, 300}, kGranted, "", true});
  const Capture seen = desk.look(desk.masked());
  EXPECT_EQ(area_of(seen.frame, kGranted), 400 * 300);
  EXPECT_EQ(area_of(seen.frame, kFlat), 1280 * 800 - 400 * 300);
}

TEST(Masked, AnUnknownOwnerIsAskedForAndNothingElse) {
  XServer x;
  X11Screen screen(std::make_shared<Connection>([&]() -> Result<std::string> { return x.name(); }));
  XClient client(x.name());
  const xcb_window_t window = client.open({{100, 100, 400, 300}, kCanary, "", true});
  std::vector<Receiver> asked;
  CaptureRequest request;
  request.shows = [&](const Receiver& owner) {
    asked.push_back(owner);
    return owner.kind != ReceiverKind::unknown;
  };
  const auto seen = screen.capture(request, soon());
  ASSERT_TRUE(seen.ok()) << to_text(seen.error());
  EXPECT_EQ(area_of(seen->frame, kFlat), 1280 * 800);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].window, window);
  EXPECT_FALSE(asked[0].app.known());
}

TEST(Masked, WhatIsBelowATranslucentWindowStaysHidden) {
  Desk desk;
  desk.hidden->open({{0, 0, 1280, 800}, kCanary, "", true});
  open_translucent(*desk.granted, {100, 100, 200, 200}, 0);
  open_translucent(*desk.granted, {400, 100, 200, 200}, 0x80000000 | kGranted);
  const Capture seen = desk.look(desk.masked());
  EXPECT_EQ(area_of(seen.frame, kCanary), 0);
  EXPECT_EQ(area_of(seen.frame, kGranted), 200 * 200);
  EXPECT_EQ(area_of(seen.frame, kFlat), 1280 * 800 - 200 * 200);
  // What stands above it covers it.
  desk.hidden->open({{400, 100, 50, 200}, kCanary, "", true});
  EXPECT_EQ(area_of(desk.look(desk.masked()).frame, kGranted), 150 * 200);
}

TEST(Masked, TranslucencyBlendsWithTheFlatBox) {
  Frame frame = make_frame({4, 1}), layer = make_frame({2, 1});
  paint_flat(frame, {0, 0, 4, 1}, {{0, 0, 4, 1}});
  const std::uint32_t half = 0x80800000, solid = 0xff0000ff;
  std::memcpy(writable(layer), &half, 4);
  std::memcpy(writable(layer) + 4, &solid, 4);
  lay_over(frame, {0, 0, 4, 1}, layer, {1, 0, 2, 1}, {}, true);
  EXPECT_EQ(colour_at(frame, 0, 0), kFlat);
  EXPECT_EQ(colour_at(frame, 1, 0), 0x9f2123U);
  EXPECT_EQ(colour_at(frame, 2, 0), 0x0000ffU);
  EXPECT_EQ(colour_at(frame, 3, 0), kFlat);
}

TEST(Masked, AWindowOfAnotherInsideAGrantedOneIsFlat) {
  Desk desk;
  const xcb_window_t host = desk.granted->open({{100, 100, 400, 300}, kGranted, "", true});
  const xcb_window_t guest = desk.hidden->open({{700, 100, 100, 100}, kCanary, "", true});
  xcb_reparent_window(desk.hidden->xcb(), guest, host, 50, 50);
  desk.hidden->sync();
  EXPECT_EQ(area_of(desk.look({}).frame, kCanary), 100 * 100);
  const Capture seen = desk.look(desk.masked());
  EXPECT_EQ(area_of(seen.frame, kCanary), 0);
  EXPECT_EQ(area_of(seen.frame, kGranted), 400 * 300 - 100 * 100);
  EXPECT_EQ(seen.hidden, 1);
  EXPECT_EQ(area_of(desk.look(desk.masked(host)).frame, kCanary), 0);
}

TEST(Masked, ChildrenOfTheSameAppAreShown) {
  Desk desk;
  const xcb_window_t host = desk.granted->open({{100, 100, 400, 300}, kGranted, "", true});
  const xcb_window_t part = desk.granted->open({{700, 100, 100, 100}, 0x2030ff, "", true});
  xcb_reparent_window(desk.granted->xcb(), part, host, 350, 250);
  desk.granted->sync();
  const Capture seen = desk.look(desk.masked());
  EXPECT_EQ(area_of(seen.frame, 0x2030ff), 50 * 50);
  EXPECT_EQ(area_of(seen.frame, kGranted), 400 * 300 - 50 * 50);
}

TEST(Masked, AWindowThatMapsItselfAgainAndAgainNeverGetsIn) {
  Desk desk;
  const xcb_window_t host = desk.granted->open({{0, 0, 1280, 800}, kGranted, "", true});
  const xcb_window_t toast = desk.hidden->open({{400, 200, 300, 200}, kCanary, "", true});
  std::atomic<bool> stop = false;
  std::thread flapping([&] {
    // Its own window up and down, in front of and inside the granted one.
    for (int i = 0; !stop; ++i) {
      const std::uint32_t above = XCB_STACK_MODE_ABOVE;
      xcb_unmap_window(desk.hidden->xcb(), toast);
      xcb_reparent_window(desk.hidden->xcb(), toast, i % 8 < 4 ? desk.hidden->root() : host, 400, 200);
      xcb_configure_window(desk.hidden->xcb(), toast, XCB_CONFIG_WINDOW_STACK_MODE, &above);
      xcb_map_window(desk.hidden->xcb(), toast);
      desk.hidden->sync();
    }
  });
  int leaks = 0, visible = 0, plain = 0;
  const int n = trials(40, 500);
  for (int i = 0; i < n; ++i) {
    const Capture seen = desk.look(desk.masked());
    leaks += area_of(seen.frame, kCanary) > 0 ? 1 : 0;
    visible += area_of(seen.frame, kGranted) >= 1280 * 800 - 300 * 200 ? 1 : 0;
    plain += area_of(desk.look({}).frame, kCanary) > 0 ? 1 : 0;
  }
  stop = true;
  flapping.join();
  EXPECT_EQ(leaks, 0);
  EXPECT_GT(visible, n / 2);
  EXPECT_GT(plain, 0) << "the canary was never on the screen, so its absence proves nothing";
}

TEST(Masked, FramesGoWithWhatIsInThem) {
  Desk desk({{1280, 800}, true, {}});
  const xcb_window_t mine = desk.granted->open({{100, 100, 300, 200}, kGranted, "granted title"});
  const xcb_window_t other = desk.hidden->open({{600, 100, 300, 200}, kCanary, "secret title"});
  const PixelRect granted_place = desk.granted->place(mine), hidden_place = desk.hidden->place(other);
  const auto titles = [&] {
    const Capture whole = desk.look({}), seen = desk.look(desk.masked());
    EXPECT_EQ(area_of(seen.frame, kCanary), 0);
    EXPECT_EQ(area_of(seen.frame, kGranted), 300 * 200);
    EXPECT_EQ(seen.hidden, 1);
    int same = 0;
    for (int x = 0; x < 300; ++x) {
      for (int y = 3; y < 15; ++y) {
        const int left = granted_place.x + x, top = granted_place.y - y;
        same += colour_at(whole.frame, left, top) == colour_at(seen.frame, left, top) ? 1 : 0;
        EXPECT_EQ(colour_at(seen.frame, hidden_place.x + x, hidden_place.y - y), kFlat);
      }
    }
    return same;
  };
  // The window manager may repaint a title between the two pictures.
  const Deadline patience = soon();
  int same = titles();
  while (same != 300 * 12 && !patience.passed() && !HasFailure()) same = titles();
  EXPECT_EQ(same, 300 * 12);
}

TEST(Masked, AWindowIsCapturedOnlyWhenItsOwnerIsGranted) {
  Desk desk({{1280, 800}, true, {}});
  const xcb_window_t mine = desk.granted->open({{100, 100, 300, 200}, kGranted, "granted"});
  const xcb_window_t other = desk.hidden->open({{100, 100, 300, 200}, kCanary, "other"});
  const Capture seen = desk.look(desk.masked(mine));
  EXPECT_EQ(area_of(seen.frame, kGranted), 300 * 200);
  EXPECT_EQ(area_of(seen.frame, kCanary), 0);
  const auto denied = desk.screen.capture(desk.masked(other), soon());
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.error().code, Code::access_denied);
}

TEST(Masked, TheLastPictureOfAMinimisedWindowIsForGrantedOwnersToo) {
  Desk desk;
  const xcb_window_t mine = desk.granted->open({{100, 100, 300, 200}, kGranted, "", true});
  const xcb_window_t other = desk.hidden->open({{100, 100, 300, 200}, kCanary, "", true});
  CaptureRequest open;
  open.window = other;
  ASSERT_TRUE(desk.screen.capture(open, soon()).ok());  // so that a last picture of it exists
  ASSERT_TRUE(desk.screen.capture(desk.masked(mine), soon()).ok());
  xcb_unmap_window(desk.granted->xcb(), mine);
  desk.granted->sync();
  xcb_unmap_window(desk.hidden->xcb(), other);
  desk.hidden->sync();
  ASSERT_TRUE(desk.screen.capture(open, soon()).ok());
  const auto denied = desk.screen.capture(desk.masked(other), soon());
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.error().code, Code::access_denied);
  const Capture frozen = desk.look(desk.masked(mine));
  EXPECT_TRUE(frozen.frozen);
  EXPECT_EQ(area_of(frozen.frame, kGranted), 300 * 200);
}

// A window without a background starts with a copy of what was on the screen below it.
TEST(Masked, WhatAWindowHasNotPaintedYetIsFlat) {
  Desk desk;
  desk.hidden->open({{0, 0, 1280, 800}, kCanary, "", true});
  xcb_connection_t* xcb = desk.granted->xcb();
  const xcb_window_t window = xcb_generate_id(xcb);
  const std::uint32_t own_way = 1;
  xcb_create_window(xcb, XCB_COPY_FROM_PARENT, window, desk.granted->root(), 100, 100, 400, 300, 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, XCB_CW_OVERRIDE_REDIRECT, &own_way);
  const xcb_gcontext_t gc = xcb_generate_id(xcb);
  xcb_create_gc(xcb, gc, window, XCB_GC_FOREGROUND, &kGranted);
  const auto paint = [&](xcb_rectangle_t part) {
    xcb_poly_fill_rectangle(xcb, window, gc, 1, &part);
    desk.granted->sync();
  };
  const int rounds = trials(2, 50);
  for (int i = 0; i < rounds; ++i) {
    xcb_map_window(xcb, window);
    desk.granted->sync();
    EXPECT_EQ(area_of(desk.look(desk.masked()).frame, kCanary), 0);
    const std::uint32_t place[] = {110, 90}, back[] = {100, 100};
    for (const std::uint32_t* to : {place, back}) {
      xcb_configure_window(xcb, window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, to);
      desk.granted->sync();
      EXPECT_EQ(area_of(desk.look(desk.masked()).frame, kCanary), 0);
    }
    paint({0, 0, 400, 100});
    const Capture part = desk.look(desk.masked());
    EXPECT_EQ(area_of(part.frame, kCanary), 0);
    EXPECT_EQ(area_of(part.frame, kGranted), 400 * 100);
    paint({0, 0, 400, 300});
    EXPECT_EQ(area_of(desk.look(desk.masked()).frame, kGranted), 400 * 300);
    // What a larger window gains is unpainted too.
    const std::uint32_t larger[] = {500, 400}, before[] = {400, 300};
    xcb_configure_window(xcb, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, larger);
    desk.granted->sync();
    EXPECT_EQ(area_of(desk.look(desk.masked()).frame, kCanary), 0);
    paint({0, 0, 500, 400});
    EXPECT_EQ(area_of(desk.look(desk.masked()).frame, kGranted), 500 * 400);
    xcb_configure_window(xcb, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, before);
    xcb_unmap_window(xcb, window);
    desk.granted->sync();
  }
}

TEST(Masked, SecretFieldsArePaintedOver) {
  Desk desk;
  const xcb_window_t window = desk.granted->open({{100, 100, 400, 300}, kGranted, "", true});
  const Rect field{150.4, 150, 50, 20.5};
  for (CaptureRequest request : {CaptureRequest{}, desk.masked(), desk.masked(window)}) {
    request.covers = {field, {1200, 780, 500, 500}, {-50, -50, 10, 10}};
    const Capture seen = desk.look(request);
    EXPECT_EQ(area_of(seen.frame, kGranted), 400 * 300 - 51 * 21);
    EXPECT_GE(area_of(seen.frame, kSecret), 51 * 21) << "told apart from what is not granted";
  }
}

}  // namespace
}  // namespace handrail::x11

#include "platform/x11/windows.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "support/test_permit.h"
#include "support/x_server.h"

namespace handrail::x11 {
namespace {

using engine::PermitMint;
using testing::XClient;
using testing::XServer;

Deadline soon() { return Deadline::in(Millis(5000)); }

struct Desk {
  explicit Desk(bool window_manager)
      : x({{1280, 800}, window_manager, {}}),
        windows(std::make_shared<Connection>([this]() -> Result<std::string> { return x.name(); })),
        client(x.name()) {}

  Result<Window> change(xcb_window_t window, WindowVerb verb, Rect frame = {}, Millis budget = Millis(5000)) {
    return windows.change({window, verb, frame}, PermitMint::mint(), Deadline::in(budget), {});
  }
  // The apps answer while we wait for them.
  Result<Window> change_with_live_app(xcb_window_t window, WindowVerb verb) {
    std::jthread app(
        [this](std::stop_token stop) { client.wait([&] { return stop.stop_requested(); }, std::chrono::seconds(10)); });
    auto result = change(window, verb);
    app.request_stop();
    client.nudge();
    return result;
  }

  XServer x;
  X11Windows windows;
  XClient client;
};

const Window* find(const std::vector<Window>& windows, xcb_window_t id) {
  const auto found = std::find_if(windows.begin(), windows.end(), [&](const Window& w) { return w.id == id; });
  return found == windows.end() ? nullptr : &*found;
}

// What both ways of changing windows promise.
class WindowChange : public ::testing::TestWithParam<bool> {};

TEST_P(WindowChange, Focus) {
  Desk desk(GetParam());
  const xcb_window_t first = desk.client.open({{50, 60, 300, 200}, 0xff0000, "first"});
  const xcb_window_t second = desk.client.open({{400, 60, 300, 200}, 0x00ff00, "second"});
  for (const xcb_window_t window : {first, second, first}) {
    const auto focused = desk.change(window, WindowVerb::focus);
    ASSERT_TRUE(focused.ok()) << to_text(focused.error());
    EXPECT_TRUE(focused->focused);
    EXPECT_EQ(desk.client.focus(), window);
    const auto list = desk.windows.list(soon());
    ASSERT_TRUE(list.ok());
    EXPECT_EQ(list->back().id, window);  // raised too
    EXPECT_EQ(std::count_if(list->begin(), list->end(), [](const Window& w) { return w.focused; }), 1);
  }
}

TEST_P(WindowChange, MoveAndResize) {
  Desk desk(GetParam());
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "window"});
  const auto moved = desk.change(window, WindowVerb::move, {600, 300, 0, 0});
  ASSERT_TRUE(moved.ok()) << to_text(moved.error());
  EXPECT_EQ(moved->bounds.origin(), (Point{600, 300}));
  const PixelRect seen = desk.client.place(window);
  EXPECT_EQ(moved->content, (Rect{double(seen.x), double(seen.y), double(seen.width), double(seen.height)}));
  EXPECT_EQ(seen.size(), (Size{300, 200}));

  const auto resized = desk.change(window, WindowVerb::resize, {0, 0, 450, 350});
  ASSERT_TRUE(resized.ok()) << to_text(resized.error());
  EXPECT_EQ(resized->bounds, (Rect{600, 300, 450, 350}));
  const PixelRect grown = desk.client.place(window);
  EXPECT_EQ(resized->content, (Rect{double(grown.x), double(grown.y), double(grown.width), double(grown.height)}));
  EXPECT_GT(grown.width, 400);
}

TEST_P(WindowChange, MinimiseAndBack) {
  Desk desk(GetParam());
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "window"});
  ASSERT_TRUE(desk.client.viewable(window));
  const auto minimised = desk.change(window, WindowVerb::minimise);
  ASSERT_TRUE(minimised.ok()) << to_text(minimised.error());
  EXPECT_EQ(minimised->state, WindowState::minimised);
  EXPECT_FALSE(desk.client.viewable(window));
  const auto focused = desk.change(window, WindowVerb::focus);
  ASSERT_TRUE(focused.ok()) << to_text(focused.error());
  EXPECT_TRUE(desk.client.viewable(window));
  EXPECT_EQ(desk.client.focus(), window);
  EXPECT_EQ(focused->state, WindowState::normal);
}

TEST_P(WindowChange, Close) {
  Desk desk(GetParam());
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "window"});
  const auto closed = desk.change_with_live_app(window, WindowVerb::close);
  ASSERT_TRUE(closed.ok()) << to_text(closed.error());
  EXPECT_EQ(closed->title, "window");
  EXPECT_FALSE(desk.client.exists(window));
  EXPECT_TRUE(desk.windows.list(soon())->empty());
}

TEST_P(WindowChange, AnAppThatDoesNotCloseIsATimeout) {
  Desk desk(GetParam());
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "window"});
  desk.client.ignore_close();
  const TimePoint start = Clock::now();
  const auto closed = desk.change(window, WindowVerb::close, {}, Millis(300));
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().code, Code::timeout);
  EXPECT_EQ(closed.error().side_effects, SideEffects::possible);
  EXPECT_LT(millis_since(start), 2500);
  EXPECT_TRUE(desk.client.exists(window));
}

TEST_P(WindowChange, AnUnknownWindowIsNotFound) {
  Desk desk(GetParam());
  for (const WindowId id : {WindowId{0x123456}, WindowId{0x100000000}}) {
    const auto changed = desk.windows.change({id, WindowVerb::focus, {}}, PermitMint::mint(), soon(), {});
    ASSERT_FALSE(changed.ok());
    EXPECT_EQ(changed.error().code, Code::not_found);
    EXPECT_EQ(changed.error().side_effects, SideEffects::none);
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, WindowChange, ::testing::Values(true, false),
                         [](const auto& param) { return param.param ? "Openbox" : "NoManager"; });

TEST(Windows, ListsWhatIsThere) {
  Desk desk(true);
  const xcb_window_t first = desk.client.open({{50, 60, 300, 200}, 0xff0000, "Ärger 日本"});
  const xcb_window_t second = desk.client.open({{400, 60, 320, 210}, 0x00ff00, "second"});
  desk.client.open({{0, 0, 10, 10}, 0, "menu", true});
  const auto list = desk.windows.list(soon());
  ASSERT_TRUE(list.ok()) << to_text(list.error());
  ASSERT_EQ(list->size(), 2U);
  const Window* window = find(*list, first);
  ASSERT_NE(window, nullptr);
  EXPECT_EQ(window->title, "Ärger 日本");
  EXPECT_EQ(window->app, "Test");
  EXPECT_EQ(window->pid, ::getpid());
  EXPECT_TRUE(window->visible);
  EXPECT_EQ(window->workspace, 0);
  const PixelRect place = desk.client.place(first);
  EXPECT_EQ(window->content, (Rect{double(place.x), double(place.y), 300, 200}));
  EXPECT_LT(window->bounds.y, window->content.y);  // a title bar
  EXPECT_GT(window->bounds.height, 200);
  EXPECT_EQ((*list)[0].stacking, 0);
  EXPECT_EQ((*list)[1].stacking, 1);
  EXPECT_NE(find(*list, second), nullptr);
}

TEST(Windows, AForgedPidIsIgnored) {
  Desk desk(true);
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "forger"});
  desk.client.set_cardinal(window, "_NET_WM_PID", 1);
  EXPECT_EQ(find(desk.windows.list(soon()).value(), window)->pid, ::getpid());
}

TEST(Windows, AForgedActiveWindowIsIgnored) {
  Desk desk(true);
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "first"});
  const xcb_window_t forged = desk.client.open({{400, 60, 300, 200}, 0x00ff00, "second"});
  ASSERT_TRUE(desk.change(window, WindowVerb::focus).ok());
  const std::uint32_t value = forged;
  xcb_change_property(desk.client.xcb(), XCB_PROP_MODE_REPLACE, desk.client.root(),
                      desk.client.atom("_NET_ACTIVE_WINDOW"), XCB_ATOM_WINDOW, 32, 1, &value);
  desk.client.sync();
  const auto list = desk.windows.list(soon());
  EXPECT_TRUE(find(*list, window)->focused);
  EXPECT_FALSE(find(*list, forged)->focused);
}

TEST(Windows, AnotherSizeThanAskedIsTold) {
  Desk desk(true);
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "steps"});
  // PMinSize, PMaxSize of ICCCM size hints: it cannot be resized at all.
  std::uint32_t hints[18] = {1 | 1 << 4 | 1 << 5};
  hints[5] = hints[7] = 300;
  hints[6] = hints[8] = 200;
  xcb_change_property(desk.client.xcb(), XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NORMAL_HINTS,
                      XCB_ATOM_WM_SIZE_HINTS, 32, 18, hints);
  desk.client.sync();
  const TimePoint start = Clock::now();
  const auto resized = desk.change(window, WindowVerb::resize, {0, 0, 500, 500});
  ASSERT_TRUE(resized.ok()) << to_text(resized.error());
  EXPECT_EQ(resized->content.width, 300);
  EXPECT_EQ(desk.client.place(window).size(), (Size{300, 200}));
  EXPECT_LT(millis_since(start), 2500);  // by the manager's answer, not by running out of time
}

TEST(Windows, AStoppedCallEndsAtOnce) {
  Desk desk(true);
  const xcb_window_t window = desk.client.open({{50, 60, 300, 200}, 0xff0000, "window"});
  desk.client.ignore_close();
  std::stop_source stop;
  std::thread stopper([&] {
    desk.client.wait([&] { return desk.client.count(XCB_CLIENT_MESSAGE) > 0; });
    stop.request_stop();
  });
  const TimePoint start = Clock::now();
  const auto closed =
      desk.windows.change({window, WindowVerb::close, {}}, PermitMint::mint(), soon(), stop.get_token());
  stopper.join();
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().code, Code::cancelled);
  EXPECT_LT(millis_since(start), 2500);
}

TEST(Windows, ManyWindowsWhileTheyComeAndGo) {
  Desk desk(true);
  for (int i = 0; i < 8; ++i) desk.client.open({{20 * i, 20 * i, 300, 200}, 0xff0000, "window"});
  std::jthread churn([&](std::stop_token stop) {
    XClient other(desk.x.name());
    while (!stop.stop_requested()) {
      const xcb_window_t window = other.open({{500, 100, 100, 100}, 0x00ff00, "short"});
      xcb_destroy_window(other.xcb(), window);
      other.sync();
    }
  });
  for (int i = 0; i < 300; ++i) {
    const auto list = desk.windows.list(soon());
    ASSERT_TRUE(list.ok()) << to_text(list.error());
    EXPECT_GE(list->size(), 8U);
  }
}

}  // namespace
}  // namespace handrail::x11

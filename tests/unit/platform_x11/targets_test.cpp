#include "platform/x11/targets.h"

#include <gtest/gtest.h>
#include <xcb/shape.h>

#include <set>

#include "gate_fixture.h"

namespace handrail::x11 {
namespace {

using testing::base_of;
using testing::GatedHand;
using testing::XClient;
using testing::XServer;

Deadline soon() { return Deadline::in(Millis(10000)); }

TEST(Targets, TheDeepestWindowAndItsRealOwner) {
  XServer x;
  XClient app(x.name());
  XClient other(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  GatedHand hand(x.name());
  const auto on_app = hand.targets.at({150, 150}, soon());
  ASSERT_TRUE(on_app.ok()) << to_text(on_app.error());
  EXPECT_EQ(on_app->kind, ReceiverKind::app);
  EXPECT_EQ(on_app->window, window);
  EXPECT_EQ(on_app->toplevel, window);
  EXPECT_EQ(on_app->app.pid, ::getpid());
  EXPECT_EQ(on_app->app.claimed_class, "Test");
  EXPECT_EQ(hand.targets.at({700, 700}, soon())->kind, ReceiverKind::root);

  // Another client's window, put into the app's own.
  const xcb_window_t inside = testing::overlay(other, {120, 120, 50, 50}, false);
  xcb_reparent_window(other.xcb(), inside, window, 20, 20);
  xcb_map_window(other.xcb(), inside);
  other.sync();
  EXPECT_EQ(hand.targets.at({130, 130}, soon())->window, inside);
  EXPECT_EQ(hand.targets.at({180, 180}, soon())->window, window);
  EXPECT_EQ(hand.targets.of(inside, soon())->window, inside);
  xcb_destroy_window(other.xcb(), inside);
  other.sync();
  EXPECT_EQ(hand.targets.of(inside, soon()).error().code, Code::not_found);
}

TEST(Targets, WindowsWithoutPixelsAndInputShapes) {
  XServer x;
  XClient app(x.name());
  XClient evil(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  GatedHand hand(x.name());
  const xcb_window_t over = testing::overlay(evil, {100, 100, 300, 200}, true);
  EXPECT_EQ(hand.targets.at({150, 150}, soon())->window, over);
  // Only a part of it takes input.
  const xcb_rectangle_t part{0, 0, 20, 20};
  xcb_shape_rectangles(evil.xcb(), XCB_SHAPE_SO_SET, XCB_SHAPE_SK_INPUT, XCB_CLIP_ORDERING_UNSORTED, over, 0, 0, 1,
                       &part);
  evil.sync();
  EXPECT_EQ(hand.targets.at({110, 110}, soon())->window, over);
  EXPECT_EQ(hand.targets.at({150, 150}, soon())->window, window);
}

TEST(Targets, FramesBelongToTheWindowManager) {
  XServer x({{1280, 800}, true, {}});
  XClient app(x.name());
  const xcb_window_t window = app.open({{200, 200, 300, 200}, 0xff0000, "app", false});
  GatedHand hand(x.name());
  const PixelRect place = app.place(window);
  const auto content = hand.targets.at({place.x + 50.0, place.y + 50.0}, soon());
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(content->kind, ReceiverKind::app);
  EXPECT_EQ(content->toplevel, window);
  const auto title = hand.targets.at({place.x + 50.0, place.y - 8.0}, soon());
  ASSERT_TRUE(title.ok());
  EXPECT_EQ(title->kind, ReceiverKind::window_manager);
  EXPECT_NE(title->app.pid, ::getpid());
}

TEST(Targets, FocusIsTheServersAndNotAProperty) {
  XServer x;
  XClient app(x.name());
  XClient liar(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  const xcb_window_t other = liar.open({{500, 100, 300, 200}, 0x00ff00, "liar", true});
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, other, XCB_CURRENT_TIME);
  app.sync();
  liar.set_cardinal(liar.root(), "_NET_ACTIVE_WINDOW", window);
  GatedHand hand(x.name());
  EXPECT_EQ(hand.targets.focus(soon())->window, other);
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, XCB_INPUT_FOCUS_NONE, XCB_CURRENT_TIME);
  app.sync();
  EXPECT_EQ(hand.targets.focus(soon())->kind, ReceiverKind::nobody);
}

TEST(Targets, WhoHoldsTheKeyboardIsToldAndNobodyNoticesTheQuestion) {
  XServer x;
  XClient app(x.name());
  XClient thief(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  const xcb_window_t own = thief.open({{500, 100, 300, 200}, 0x00ff00, "thief", true});
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  app.sync();
  GatedHand hand(x.name());
  EXPECT_TRUE(app.wait([&] { return app.count(XCB_FOCUS_IN) == 1; }));
  const auto free = hand.targets.focus(soon());
  ASSERT_TRUE(free.ok()) << to_text(free.error());
  EXPECT_EQ(free->window, window);
  EXPECT_FALSE(free->grabbed);
  app.sync();
  app.wait([] { return true; });
  EXPECT_EQ(app.count(XCB_FOCUS_IN), 1);
  EXPECT_EQ(app.count(XCB_FOCUS_OUT), 0);

  const auto grab = [](XClient& client, xcb_window_t on) {
    std::free(xcb_grab_keyboard_reply(
        client.xcb(),
        xcb_grab_keyboard(client.xcb(), 0, on, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC), nullptr));
  };
  grab(thief, own);
  const auto taken = hand.targets.focus(soon());
  ASSERT_TRUE(taken.ok()) << to_text(taken.error());
  EXPECT_TRUE(taken->grabbed);
  EXPECT_EQ(base_of(taken->window), base_of(own));
  xcb_ungrab_keyboard(thief.xcb(), XCB_CURRENT_TIME);
  thief.sync();
  // The app's own menu is the app.
  grab(app, window);
  const auto menu = hand.targets.focus(soon());
  ASSERT_TRUE(menu.ok());
  EXPECT_FALSE(menu->grabbed);
  EXPECT_EQ(menu->window, window);
}

TEST(Targets, IdentityComesFromTheKernelsPid) {
  XServer x;
  XClient app(x.name());
  app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  InputDelivery::Parts parts;
  parts.identify = [](std::int64_t pid) {
    AppIdentity app_identity;
    app_identity.pid = pid;
    app_identity.executable = "/asked";
    return app_identity;
  };
  GatedHand hand(x.name(), std::move(parts));
  const auto receiver = hand.targets.at({150, 150}, soon());
  ASSERT_TRUE(receiver.ok());
  EXPECT_EQ(receiver->app.executable, "/asked");
  EXPECT_EQ(receiver->app.pid, ::getpid());
}

}  // namespace
}  // namespace handrail::x11

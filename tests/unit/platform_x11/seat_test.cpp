// A pointer and a keyboard of the agent's own, beside a person's: raw clients tell what they got and what is where.
#include <gtest/gtest.h>
#include <unistd.h>
#include <xcb/shape.h>
#include <xcb/xinput.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>

#include "gate_fixture.h"
#include "manager_fixture.h"
#include "platform/x11/agent_seat.h"

namespace handrail::x11 {
namespace {

using testing::base_of;
using testing::Flapper;
using testing::GatedHand;
using testing::managed_by_somebody;
using testing::Manager;
using testing::XClient;
using testing::XServer;

std::vector<Step> click(double x, double y) { return {MoveTo{{x, y}}, ButtonDown{}, ButtonUp{}}; }

// The left button's; the one that is held for the window manager's sake is let go in the same place.
int releases(const XClient& client) {
  return static_cast<int>(std::ranges::count_if(client.log(), [](const xcb_generic_event_t& event) {
    return (event.response_type & 0x7f) == XCB_BUTTON_RELEASE &&
           reinterpret_cast<const xcb_button_release_event_t&>(event).detail == 1;
  }));
}

// What belongs to the person.
class Onlooker : public XClient {
 public:
  explicit Onlooker(const std::string& display) : XClient(display) {
    std::free(xcb_input_xi_query_version_reply(xcb(), xcb_input_xi_query_version(xcb(), 2, 2), nullptr));
  }
  PixelPoint pointer() {
    auto* reply = xcb_query_pointer_reply(xcb(), xcb_query_pointer(xcb(), root()), nullptr);
    const PixelPoint at{reply->root_x, reply->root_y};
    std::free(reply);
    return at;
  }
  std::vector<std::string> masters() {
    auto* reply =
        xcb_input_xi_query_device_reply(xcb(), xcb_input_xi_query_device(xcb(), XCB_INPUT_DEVICE_ALL_MASTER), nullptr);
    std::vector<std::string> names;
    for (auto info = xcb_input_xi_query_device_infos_iterator(reply); info.rem > 0;
         xcb_input_xi_device_info_next(&info))
      names.emplace_back(xcb_input_xi_device_info_name(info.data),
                         static_cast<std::size_t>(xcb_input_xi_device_info_name_length(info.data)));
    std::free(reply);
    return names;
  }
  // How many rectangles its input shape has: one when it has none of its own.
  int shape_of(xcb_window_t window) {
    auto* reply =
        xcb_shape_get_rectangles_reply(xcb(), xcb_shape_get_rectangles(xcb(), window, XCB_SHAPE_SK_INPUT), nullptr);
    const int count = xcb_shape_get_rectangles_rectangles_length(reply);
    std::free(reply);
    return count;
  }
  xcb_window_t frame_of(xcb_window_t window) {
    while (true) {
      auto* tree = xcb_query_tree_reply(xcb(), xcb_query_tree(xcb(), window), nullptr);
      const xcb_window_t parent = tree->parent;
      std::free(tree);
      if (parent == root() || parent == XCB_WINDOW_NONE) return window;
      window = parent;
    }
  }
  bool comes_true(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!done() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return done();
  }
};

class SeatTest : public ::testing::TestWithParam<std::string> {
 protected:
  SeatTest() {
    if (managed() && !look.comes_true([&] { return managed_by_somebody(look); })) {
      throw std::runtime_error(GetParam() + " did not start");
    }
  }
  bool managed() const { return !GetParam().empty(); }

  XServer x{{{1280, 800}, GetParam() == "openbox", {}}};
  Manager manager{GetParam() == "openbox" ? "" : GetParam(), x.name()};
  Onlooker look{x.name()};
};

TEST_P(SeatTest, AClickReachesACoveredWindowAndNothingOfThePersonsMoves) {
  XClient app(x.name()), person(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", false});
  const xcb_window_t cover = person.open({{80, 80, 400, 300}, 0x0000ff, "person", false});
  const PixelRect place = app.place(window);
  GatedHand hand(x.name());
  const PixelPoint pointer = look.pointer();
  // A window manager gives the focus to a window that is new.
  ASSERT_TRUE(look.comes_true([&] { return !managed() || look.focus() == cover; }));
  const xcb_window_t focus = look.focus();
  hand.allow(base_of(window));
  for (int i = 1; i <= 3; ++i) {
    const auto report = hand.perform_beside(window, click(place.x + 40.0 * i, place.y + 50.0));
    ASSERT_TRUE(report.ok()) << to_text(report.error());
    EXPECT_TRUE(report->delivered);
    EXPECT_TRUE(app.wait([&] { return releases(app) == i; }));
  }
  EXPECT_EQ(look.pointer(), pointer);
  EXPECT_EQ(look.focus(), focus);
  EXPECT_GT(look.shape_of(look.frame_of(cover)), 1) << "it was reached without a hole";
  EXPECT_EQ(look.masters().size(), 4U);
  ASSERT_TRUE(hand.input.leave_seat(Deadline::in(Millis(5000))).ok());
  EXPECT_EQ(look.shape_of(look.frame_of(cover)), 1);
  person.sync();
  person.wait([] { return true; });
  EXPECT_EQ(person.count(XCB_BUTTON_PRESS), 0);
  EXPECT_TRUE(look.comes_true([&] { return look.masters().size() == 2; }));
  EXPECT_TRUE(hand.input.held_buttons().empty());
}

TEST_P(SeatTest, KeysGoToItsWindowAndThePersonsToTheirs) {
  XClient app(x.name()), person(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", false});
  const xcb_window_t other = person.open({{600, 100, 300, 200}, 0x0000ff, "person", false});
  for (auto [client, own] : {std::pair(&app, window), std::pair(&person, other)}) {
    const std::uint32_t keys = XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
    xcb_change_window_attributes(client->xcb(), own, XCB_CW_EVENT_MASK, &keys);
    client->sync();
  }
  xcb_set_input_focus(person.xcb(), XCB_INPUT_FOCUS_PARENT, other, XCB_CURRENT_TIME);
  person.sync();
  GatedHand hand(x.name());
  const auto report =
      hand.perform_beside(window, {TypeText{"abc"}, KeyDown{{XKB_KEY_Left}}, KeyUp{{XKB_KEY_Left}}}, true);
  ASSERT_TRUE(report.ok()) << to_text(report.error());
  EXPECT_TRUE(app.wait([&] { return app.count(XCB_KEY_PRESS) == 4; }));
  person.sync();
  person.wait([] { return true; });
  EXPECT_EQ(person.count(XCB_KEY_PRESS), 0);
  EXPECT_EQ(person.focus(), other);
}

TEST_P(SeatTest, AFlappingOverlayNeverGetsAClick) {
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", false});
  const PixelRect place = app.place(window);
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  Flapper flapper(x.name(), {place.x, place.y, 300, 200});
  const int trials = testing::full_run() ? 3000 : 60;
  int clicked = 0;
  for (int i = 0; i < trials; ++i) {
    const auto report = hand.perform_beside(window, click(place.x + 50.0, place.y + 50.0));
    if (report.ok()) {
      ++clicked;
    } else {
      const Code code = report.error().code;
      ASSERT_TRUE(code == Code::gate_refused || code == Code::capability_unsupported) << to_text(report.error());
    }
  }
  flapper.stop();
  EXPECT_EQ(flapper.presses, 0);
  EXPECT_TRUE(app.wait([&] { return releases(app) == clicked; }));
  RecordProperty("trials", trials);
  RecordProperty("clicked", clicked);
  EXPECT_GT(clicked, 0);
}

TEST_P(SeatTest, WhatADeadProcessLeavesIsSweptAway) {
  XClient app(x.name()), person(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", false});
  const xcb_window_t cover = person.open({{80, 80, 400, 300}, 0x0000ff, "person", false});
  const PixelRect place = app.place(window);
  GatedHand hand(x.name());
  ASSERT_TRUE(hand.perform_beside(window, {MoveTo{{place.x + 50.0, place.y + 50.0}}, ButtonDown{}}).ok());
  EXPECT_GT(look.shape_of(look.frame_of(cover)), 1);
  quiet_seat(look.xcb(), look.root(), ::getpid());
  EXPECT_EQ(look.shape_of(look.frame_of(cover)), 1) << "others wait for this, so it comes at once";
  EXPECT_TRUE(app.wait([&] { return releases(app) == 1; }));
  remove_seat(look.xcb(), look.root(), ::getpid());
  EXPECT_EQ(look.masters().size(), 2U);
}

TEST_P(SeatTest, OffTheScreenIsOutOfReach) {
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", false});
  GatedHand hand(x.name());
  const PixelPoint pointer = look.pointer();
  const auto report = hand.perform_beside(window, click(900, 700));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::capability_unsupported);
  EXPECT_EQ(look.pointer(), pointer);
}

INSTANTIATE_TEST_SUITE_P(Managed, SeatTest, ::testing::Values("openbox", "xfwm4", ""),
                         [](const auto& each) { return each.param.empty() ? "none" : each.param; });

}  // namespace
}  // namespace handrail::x11

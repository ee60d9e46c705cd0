#include "platform/x11/input.h"

#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <future>
#include <thread>

#include "support/test_permit.h"
#include "typing_fixture.h"

namespace handrail::x11 {
namespace {

using engine::PermitMint;
using testing::KeyboardOracle;
using testing::TestWindow;
using testing::XClient;
using testing::XServer;

struct Hand {
  explicit Hand(const std::string& display)
      : connection(std::make_shared<Connection>([display]() -> Result<std::string> { return display; })),
        input(connection) {}
  Result<InputReport> perform(std::vector<Step> steps, std::stop_token stop = {}, Millis budget = Millis(10000)) {
    return input.perform(InputPlan{std::move(steps)}, PermitMint::mint(), Deadline::in(budget), stop);
  }
  Status release_all() { return input.release_all(Deadline::in(Millis(5000))); }
  std::shared_ptr<Connection> connection;
  X11Input input;
};

// A window that sees pointer and key events, and the server's own word about what is down.
class Watcher : public KeyboardOracle {
 public:
  explicit Watcher(const std::string& display) : KeyboardOracle(display) {
    window_ = open({{100, 100, 400, 300}, 0x00ff00, "watched", true});
    const std::uint32_t mask = XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_KEY_PRESS |
                               XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_EXPOSURE;
    xcb_change_window_attributes(xcb(), window_, XCB_CW_EVENT_MASK, &mask);
    xcb_set_input_focus(xcb(), XCB_INPUT_FOCUS_POINTER_ROOT, window_, XCB_CURRENT_TIME);
    sync();
  }
  struct Seen {
    int type;
    int detail;
    int x, y;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  // The first `count` input events; fewer when no more come.
  std::vector<Seen> seen(std::size_t count) {
    wait([&] { return inputs().size() >= count; }, std::chrono::seconds(2));
    return inputs();
  }
  std::uint16_t mask() {
    auto* pointer = xcb_query_pointer_reply(xcb(), xcb_query_pointer(xcb(), root()), nullptr);
    const std::uint16_t mask = pointer->mask;
    std::free(pointer);
    return mask;
  }
  bool nothing_down() { return (mask() & 0x1fff & ~XCB_MOD_MASK_2) == 0 && facts().down.empty(); }
  xcb_window_t window() const { return window_; }

 private:
  std::vector<Seen> inputs() const {
    std::vector<Seen> out;
    for (const xcb_generic_event_t& event : log()) {
      const int type = event.response_type & 0x7f;
      if (type < XCB_KEY_PRESS || type > XCB_BUTTON_RELEASE) continue;
      const auto& button = reinterpret_cast<const xcb_button_press_event_t&>(event);
      const bool key = type == XCB_KEY_PRESS || type == XCB_KEY_RELEASE;
      out.push_back({type, button.detail, key ? 0 : button.root_x, key ? 0 : button.root_y});
    }
    return out;
  }
  xcb_window_t window_ = 0;
};

Step key_down(std::uint32_t keysym) { return KeyDown{{keysym}}; }
Step key_up(std::uint32_t keysym) { return KeyUp{{keysym}}; }

TEST(Input, ClicksLandWhereAsked) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  const auto report = hand.perform({MoveTo{{150, 160}}, ButtonDown{}, ButtonUp{}, MoveTo{{300.4, 200.9}},
                                    ButtonDown{Button::right}, ButtonUp{Button::right}});
  ASSERT_TRUE(report.ok()) << to_text(report.error());
  EXPECT_EQ(report->steps_done, 6u);
  const std::vector<Watcher::Seen> expected{{XCB_BUTTON_PRESS, 1, 150, 160},
                                            {XCB_BUTTON_RELEASE, 1, 150, 160},
                                            {XCB_BUTTON_PRESS, 3, 300, 200},
                                            {XCB_BUTTON_RELEASE, 3, 300, 200}};
  EXPECT_EQ(watcher.seen(4), expected);
}

TEST(Input, EveryButtonAndWheelDirection) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  std::vector<Step> steps{MoveTo{{200, 200}}};
  for (const Button button : {Button::left, Button::middle, Button::right, Button::x1, Button::x2}) {
    steps.push_back(ButtonDown{button});
    steps.push_back(ButtonUp{button});
  }
  steps.push_back(Wheel{0, 2});
  steps.push_back(Wheel{0, -1});
  steps.push_back(Wheel{1, 0});
  steps.push_back(Wheel{-1, 0});
  ASSERT_TRUE(hand.perform(steps).ok());
  std::vector<int> presses;
  for (const auto& event : watcher.seen(20)) {
    if (event.type == XCB_BUTTON_PRESS) presses.push_back(event.detail);
  }
  EXPECT_EQ(presses, (std::vector<int>{1, 2, 3, 8, 9, 5, 5, 4, 7, 6}));
  EXPECT_TRUE(watcher.nothing_down());
}

TEST(Input, ManyClicksAllArrive) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  constexpr int kClicks = 300;
  const TimePoint start = Clock::now();
  for (int i = 0; i < kClicks; ++i) {
    ASSERT_TRUE(hand.perform({MoveTo{{110.0 + i, 150}}, ButtonDown{}, ButtonUp{}}).ok());
  }
  RecordProperty("click_ms", std::to_string(millis_since(start) / kClicks));
  EXPECT_EQ(watcher.seen(2 * kClicks).size(), std::size_t{2 * kClicks});
}

TEST(Input, AButtonLeftDownIsRememberedAndLetGo) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  ASSERT_TRUE(hand.perform({MoveTo{{200, 200}}, ButtonDown{}}).ok());
  EXPECT_EQ(hand.input.held_buttons(), std::vector<Button>{Button::left});
  EXPECT_TRUE(watcher.mask() & XCB_BUTTON_MASK_1);
  ASSERT_TRUE(hand.perform({MoveTo{{250, 250}}}).ok());
  EXPECT_TRUE(watcher.mask() & XCB_BUTTON_MASK_1);
  ASSERT_TRUE(hand.perform({ButtonUp{}}).ok());
  EXPECT_TRUE(hand.input.held_buttons().empty());
  EXPECT_TRUE(watcher.nothing_down());

  ASSERT_TRUE(hand.perform({ButtonDown{Button::middle}, key_down(XKB_KEY_Shift_L), key_down(XKB_KEY_F5)}).ok());
  EXPECT_FALSE(watcher.nothing_down());
  ASSERT_TRUE(hand.release_all().ok());
  EXPECT_TRUE(watcher.nothing_down());
  EXPECT_TRUE(hand.input.held_buttons().empty());
}

TEST(Input, CancelledInAPauseNothingStaysDown) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  std::stop_source stop;
  auto running = std::async(std::launch::async, [&] {
    return hand.perform({MoveTo{{200, 200}}, ButtonDown{}, key_down(XKB_KEY_Control_L), key_down(XKB_KEY_a),
                         Pause{Millis(60000)}, key_up(XKB_KEY_a)},
                        stop.get_token(), Millis(120000));
  });
  ASSERT_EQ(watcher.seen(3).size(), 3u);
  const TimePoint asked = Clock::now();
  stop.request_stop();
  const auto report = running.get();
  EXPECT_LT(millis_since(asked), 5000);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::cancelled);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_TRUE(watcher.nothing_down());
  // Buttons first and in place, then keys, last pressed first.
  const auto seen = watcher.seen(6);
  ASSERT_EQ(seen.size(), 6u);
  EXPECT_EQ(seen[3], (Watcher::Seen{XCB_BUTTON_RELEASE, 1, 200, 200}));
  EXPECT_EQ(seen[4].detail, seen[2].detail);
  EXPECT_EQ(seen[5].detail, seen[1].detail);
}

TEST(Input, CancelledBeforeItBeginsDoesNothing) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  std::stop_source stop;
  stop.request_stop();
  const auto report = hand.perform({MoveTo{{200, 200}}, ButtonDown{}}, stop.get_token());
  EXPECT_EQ(report.error().code, Code::cancelled);
  EXPECT_EQ(report.error().side_effects, SideEffects::none);
  ASSERT_TRUE(hand.perform({MoveTo{{210, 210}}}).ok());
  EXPECT_TRUE(watcher.nothing_down());
}

TEST(Input, AFailureLetsGoOfWhatThePlanPressed) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  ASSERT_TRUE(hand.perform({MoveTo{{200, 200}}, ButtonDown{Button::right}}).ok());
  const auto report = hand.perform({ButtonDown{}, key_down(XKB_KEY_Shift_L), MoveTo{{5000, 10}}, ButtonUp{}});
  EXPECT_EQ(report.error().code, Code::argument_invalid);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_TRUE(watcher.facts().down.empty());
  EXPECT_EQ(watcher.mask() & (XCB_BUTTON_MASK_1 | XCB_BUTTON_MASK_3), XCB_BUTTON_MASK_3) << "the earlier plan's stays";
  EXPECT_EQ(hand.input.held_buttons(), std::vector<Button>{Button::right});
}

TEST(Input, ALatePlanEndsAndLetsGo) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  const auto report =
      hand.perform({MoveTo{{200, 200}}, ButtonDown{}, Pause{Millis(60000)}, ButtonUp{}}, {}, Millis(300));
  EXPECT_EQ(report.error().code, Code::timeout);
  EXPECT_TRUE(watcher.nothing_down());
}

TEST(Input, ReleaseAllEndsARunningPlan) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  auto running = std::async(std::launch::async, [&] {
    return hand.perform({MoveTo{{200, 200}}, ButtonDown{}, key_down(XKB_KEY_Alt_L), Pause{Millis(60000)}}, {},
                        Millis(120000));
  });
  ASSERT_EQ(watcher.seen(2).size(), 2u);
  ASSERT_TRUE(hand.release_all().ok());
  EXPECT_TRUE(watcher.nothing_down());
  EXPECT_EQ(running.get().error().code, Code::cancelled);
  EXPECT_TRUE(watcher.nothing_down());
}

TEST(Input, ReleaseAllAtAnyMomentOfADrag) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  std::vector<Step> drag{MoveTo{{110, 110}}, ButtonDown{}};
  for (int i = 0; i < 200; ++i) {
    drag.push_back(MoveTo{{110.0 + i, 120}});
    if (i % 8 == 0) drag.push_back(Pause{Millis(1)});
  }
  for (int round = 0; round < 10; ++round) {
    std::stop_source stop;
    auto running = std::async(std::launch::async, [&] { return hand.perform(drag, stop.get_token()); });
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
    stop.request_stop();
    ASSERT_TRUE(hand.release_all().ok());
    EXPECT_TRUE(watcher.nothing_down()) << round;
    (void)running.get();
    EXPECT_TRUE(watcher.nothing_down()) << round;
    EXPECT_TRUE(hand.input.held_buttons().empty());
  }
}

TEST(Input, OnePlanAtATime) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  std::stop_source stop;
  auto first = std::async(std::launch::async, [&] {
    return hand.perform({ButtonDown{}, Pause{Millis(60000)}}, stop.get_token(), Millis(120000));
  });
  while (hand.input.held_buttons().empty()) std::this_thread::yield();
  EXPECT_EQ(hand.perform({key_down(XKB_KEY_a)}, {}, Millis(100)).error().code, Code::busy);
  stop.request_stop();
  (void)first.get();
  EXPECT_TRUE(hand.perform({key_down(XKB_KEY_a), key_up(XKB_KEY_a)}).ok());
}

TEST(Input, ANewServerStartsWithNothingHeld) {
  XServer x;
  Hand hand(x.name());
  ASSERT_TRUE(hand.perform({MoveTo{{200, 200}}, ButtonDown{}, key_down(XKB_KEY_Shift_L)}).ok());
  x.kill();
  x.start();
  Watcher watcher(x.name());
  ASSERT_TRUE(hand.perform({MoveTo{{210, 210}}}).ok());
  EXPECT_TRUE(hand.input.held_buttons().empty());
  EXPECT_TRUE(watcher.nothing_down());
}

TEST(Input, ALostConnectionToALivingServerLeavesNothingDown) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  ASSERT_TRUE(hand.perform({MoveTo{{200, 200}}, ButtonDown{}, key_down(XKB_KEY_Shift_L)}).ok());
  const auto own =
      hand.connection->call<xcb_window_t>(Deadline::in(Millis(2000)), [](Server& server) -> Result<xcb_window_t> {
        const xcb_window_t window = xcb_generate_id(server.xcb());
        xcb_create_window(server.xcb(), 0, window, server.root(), 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                          XCB_COPY_FROM_PARENT, 0, nullptr);
        return window;
      });
  ASSERT_TRUE(own.ok());
  watcher.sync();
  xcb_kill_client(watcher.xcb(), *own);
  watcher.sync();
  EXPECT_FALSE(watcher.nothing_down()) << "the server is expected to keep XTEST keys down";
  // The first call may still meet the loss.
  if (!hand.perform({MoveTo{{210, 210}}}).ok()) {
    ASSERT_TRUE(hand.perform({MoveTo{{210, 210}}}).ok());
  }
  EXPECT_TRUE(watcher.nothing_down());
  EXPECT_TRUE(hand.input.held_buttons().empty());
}

TEST(Input, APointerThatIsHeldElsewhereIsAnError) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  ASSERT_TRUE(hand.perform({MoveTo{{200, 200}}}).ok());
  std::free(xcb_grab_pointer_reply(
      watcher.xcb(),
      xcb_grab_pointer(watcher.xcb(), 0, watcher.window(), XCB_EVENT_MASK_BUTTON_PRESS, XCB_GRAB_MODE_ASYNC,
                       XCB_GRAB_MODE_ASYNC, watcher.window(), XCB_CURSOR_NONE, XCB_CURRENT_TIME),
      nullptr));
  const auto report = hand.perform({MoveTo{{900, 700}}, ButtonDown{}, ButtonUp{}});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::backend_error);
  EXPECT_EQ(watcher.seen(1).size(), 0u) << "no press may follow a move that did not arrive";
}

TEST(Input, WithoutXtestItSaysSo) {
  XServer x({{1280, 800}, false, {"-extension", "XTEST"}});
  Hand hand(x.name());
  const auto report = hand.perform({MoveTo{{200, 200}}});
  EXPECT_EQ(report.error().code, Code::capability_unsupported);
  EXPECT_EQ(report.error().side_effects, SideEffects::none);
  EXPECT_NE(report.error().message.find("XTEST"), std::string::npos);
}

TEST(Input, TextThatCannotBeTypedIsRefusedBeforeTheFirstEvent) {
  XServer x;
  Watcher watcher(x.name());
  Hand hand(x.name());
  const auto report = hand.perform({MoveTo{{200, 200}}, ButtonDown{}, ButtonUp{}, TypeText{"a\x1b"}});
  EXPECT_EQ(report.error().code, Code::argument_invalid);
  EXPECT_EQ(report.error().side_effects, SideEffects::none);
  EXPECT_EQ(watcher.seen(0).size(), 0u);
}

TEST(Input, ClicksUnderAWindowManagerThatHoldsThePointer) {
  XServer x({{1280, 800}, true, {}});
  XClient client(x.name());
  const xcb_window_t first = client.open({{100, 100, 200, 150}, 0xff0000, "one", false});
  const xcb_window_t second = client.open({{500, 300, 200, 150}, 0x0000ff, "two", false});
  for (const xcb_window_t window : {first, second}) {
    const std::uint32_t mask = XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE;
    xcb_change_window_attributes(client.xcb(), window, XCB_CW_EVENT_MASK, &mask);
  }
  client.sync();
  Hand hand(x.name());
  constexpr int kRounds = 20;
  std::vector<Step> steps;
  for (int i = 0; i < kRounds; ++i) {
    for (const xcb_window_t window : {first, second}) {
      const PixelRect place = client.place(window);
      steps.push_back(MoveTo{{place.x + 50.0, place.y + 50.0}});
      steps.push_back(ButtonDown{});
      steps.push_back(ButtonUp{});
    }
  }
  const auto report = hand.perform(steps);
  ASSERT_TRUE(report.ok()) << to_text(report.error());
  EXPECT_TRUE(client.wait([&] { return client.count(XCB_BUTTON_RELEASE) == 2 * kRounds; }));
  EXPECT_EQ(client.count(XCB_BUTTON_PRESS), 2 * kRounds);
}

}  // namespace
}  // namespace handrail::x11

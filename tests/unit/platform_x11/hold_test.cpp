// Keys that stay down for a while: the server repeats them by itself, to whoever has the focus by then.
#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <future>

#include "gate_fixture.h"

namespace handrail::x11 {
namespace {

using testing::base_of;
using testing::GatedHand;
using testing::KeyboardOracle;
using testing::XClient;
using testing::XServer;

constexpr std::chrono::seconds kPatience{30};
constexpr Millis kHold{60000};
// One repeat may be on its way, and the key by which a grab is found; more only where everything is late. A whole
// hold has more than a thousand.
int most_strays() { return testing::full_run() ? 2 : 20; }

void focus(XClient& client, xcb_window_t window) {
  xcb_set_input_focus(client.xcb(), XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
  client.sync();
}

xcb_window_t open_for_keys(XClient& client, const PixelRect& at) {
  const xcb_window_t window = client.open({at, 0xff0000, "window", true});
  const std::uint32_t events = XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(client.xcb(), window, XCB_CW_EVENT_MASK, &events);
  client.sync();
  return window;
}

int presses_on(const XClient& client, xcb_window_t window) {
  return static_cast<int>(std::ranges::count_if(client.log(), [&](const xcb_generic_event_t& event) {
    return (event.response_type & 0x7f) == XCB_KEY_PRESS &&
           reinterpret_cast<const xcb_key_press_event_t&>(event).event == window;
  }));
}

class Hold : public ::testing::Test {
 protected:
  Hold() : app(x.name()), thief(x.name()), oracle(x.name()), hand(x.name()) {
    window = open_for_keys(app, {100, 100, 300, 200});
    loot = open_for_keys(thief, {600, 100, 300, 200});
    focus(app, window);
    hand.allow(base_of(window));
  }
  ~Hold() override {
    if (!held.valid()) return;
    (void)hand.input.release_all(Deadline::in(Millis(20000)));
    held.wait();
  }
  // Begins a hold that the server repeats already.
  void begin() {
    held = std::async(std::launch::async, [this] {
      return hand.perform({KeyDown{{XKB_KEY_a}}, Pause{kHold}, KeyUp{{XKB_KEY_a}}}, Millis(120000));
    });
    ASSERT_TRUE(app.wait([this] { return presses_on(app, window) >= 3; }, kPatience)) << "no repeats";
  }
  void expect_refused() {
    ASSERT_EQ(held.wait_for(kPatience), std::future_status::ready) << "the key is still held";
    const auto report = held.get();
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, Code::gate_refused) << to_text(report.error());
    EXPECT_EQ(report.error().side_effects, SideEffects::partial);
    EXPECT_TRUE(oracle.facts().down.empty()) << "a key is still down";
    thief.sync();
    thief.wait([] { return true; });
    EXPECT_LE(presses_on(thief, loot), most_strays());
  }

  XServer x;
  XClient app, thief;
  KeyboardOracle oracle;
  GatedHand hand;
  xcb_window_t window = 0, loot = 0;
  std::future<Result<InputReport>> held;
};

TEST_F(Hold, RepeatsGoToTheAppUntilTheEnd) {
  ASSERT_TRUE(hand.perform({KeyDown{{XKB_KEY_a}}, Pause{Millis(3000)}, KeyUp{{XKB_KEY_a}}}).ok());
  EXPECT_TRUE(app.wait([this] { return app.count(XCB_KEY_RELEASE) > 0 && presses_on(app, window) > 1; }, kPatience));
  EXPECT_TRUE(oracle.facts().down.empty());
}

TEST_F(Hold, EndsWhenTheFocusGoesToAnotherApp) {
  begin();
  focus(thief, loot);
  expect_refused();
}

TEST_F(Hold, EndsWhenTheAppIsGone) {
  // The focus goes to where the pointer is.
  xcb_warp_pointer(thief.xcb(), XCB_WINDOW_NONE, loot, 0, 0, 0, 0, 50, 50);
  thief.sync();
  begin();
  xcb_destroy_window(app.xcb(), window);
  app.sync();
  expect_refused();
}

TEST_F(Hold, EndsWhenAnotherAppTakesTheKeyboard) {
  begin();
  std::free(xcb_grab_keyboard_reply(
      thief.xcb(), xcb_grab_keyboard(thief.xcb(), 0, loot, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC),
      nullptr));
  expect_refused();
}

TEST_F(Hold, EndsWhenThePointerTakesTheKeysElsewhere) {
  xcb_warp_pointer(thief.xcb(), XCB_WINDOW_NONE, window, 0, 0, 0, 0, 50, 50);
  focus(thief, XCB_INPUT_FOCUS_POINTER_ROOT);
  begin();
  xcb_warp_pointer(thief.xcb(), XCB_WINDOW_NONE, loot, 0, 0, 0, 0, 50, 50);
  thief.sync();
  expect_refused();
}

TEST_F(Hold, GoesOnInAnotherWindowThatIsAllowedAndIsWatchedThere) {
  const xcb_window_t second = open_for_keys(app, {100, 400, 300, 200});
  focus(app, window);
  begin();
  focus(app, second);
  ASSERT_TRUE(app.wait([&] { return presses_on(app, second) >= 3; }, kPatience)) << "no repeats in the second window";
  focus(thief, loot);
  expect_refused();
  const auto events = hand.events();
  const auto judged_for = [&](xcb_window_t on) {
    return std::ranges::any_of(events, [&](const InputEvent& event) {
      return event.kind == EventKind::key && event.receiver.window == on &&
             std::ranges::find(event.chord.key.keysyms, std::uint32_t{XKB_KEY_a}) != event.chord.key.keysyms.end();
    });
  };
  EXPECT_TRUE(judged_for(second));
  EXPECT_TRUE(judged_for(loot));
}

TEST_F(Hold, AHeldChordIsJudgedAsItWasPressed) {
  held = std::async(std::launch::async, [this] {
    return hand.perform({KeyDown{{XKB_KEY_Control_L}}, KeyDown{{XKB_KEY_a}}, Pause{kHold}}, Millis(120000));
  });
  ASSERT_TRUE(app.wait([this] { return presses_on(app, window) >= 4; }, kPatience)) << "no repeats";
  const auto before = hand.events();
  focus(thief, loot);
  expect_refused();
  ASSERT_GE(before.size(), 4U);
  // Pressed: Control, then a with it. At the pause: the same, the last one first.
  EXPECT_EQ(before[2], before[1]);
  EXPECT_EQ(before[3], before[0]);
}

}  // namespace
}  // namespace handrail::x11

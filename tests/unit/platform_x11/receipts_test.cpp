#include "platform/x11/receipts.h"

#include <gtest/gtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <random>

#include "gate_fixture.h"

namespace handrail::x11 {
namespace {

using testing::base_of;
using testing::Flapper;
using testing::GatedHand;
using testing::overlay;
using testing::XClient;
using testing::XServer;

std::vector<Step> click(double x, double y) { return {MoveTo{{x, y}}, ButtonDown{}, ButtonUp{}}; }

TEST(Receipts, AnAllowedClickIsSeenToArrive) {
  XServer x;
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  const auto report = hand.perform(click(150, 150));
  ASSERT_TRUE(report.ok()) << to_text(report.error());
  EXPECT_TRUE(report->delivered);
  std::vector<EventKind> kinds;
  for (const InputEvent& event : hand.events()) kinds.push_back(event.kind);
  EXPECT_EQ(kinds, (std::vector{EventKind::move, EventKind::press, EventKind::received, EventKind::release}));
  EXPECT_TRUE(app.wait([&] { return app.count(XCB_BUTTON_RELEASE) == 1; }));
}

TEST(Receipts, NobodyThereIsNotDelivered) {
  XServer x;
  GatedHand hand(x.name());
  const auto report = hand.perform(click(700, 700));
  ASSERT_TRUE(report.ok()) << to_text(report.error());
  EXPECT_FALSE(report->delivered);
}

TEST(Receipts, AnInvisibleOverlayGetsNothing) {
  XServer x;
  XClient app(x.name());
  XClient evil(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  overlay(evil, {100, 100, 300, 200}, true);
  const auto report = hand.perform(click(150, 150));
  EXPECT_EQ(report.error().code, Code::gate_refused);
  evil.sync();
  evil.wait([] { return true; });
  EXPECT_EQ(evil.count(XCB_BUTTON_PRESS), 0);
  EXPECT_EQ(app.count(XCB_BUTTON_PRESS), 0);
}

TEST(Receipts, APressThatAnotherClientGrabbedIsCancelledElsewhere) {
  XServer x;
  XClient app(x.name());
  XClient evil(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  const xcb_window_t own = overlay(evil, {600, 600, 50, 50}, true);
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  ASSERT_TRUE(hand.perform({MoveTo{{150, 150}}}).ok());
  std::free(xcb_grab_pointer_reply(
      evil.xcb(),
      xcb_grab_pointer(evil.xcb(), 0, own, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE,
                       XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC, XCB_WINDOW_NONE, XCB_CURSOR_NONE, XCB_CURRENT_TIME),
      nullptr));
  const auto report = hand.perform(click(150, 150));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::gate_refused);
  EXPECT_EQ(report.error().side_effects, SideEffects::possible);
  EXPECT_NE(report.error().message.find("cancelled"), std::string::npos) << report.error().message;
  ASSERT_TRUE(evil.wait([&] { return evil.count(XCB_BUTTON_RELEASE) == 1; }));
  for (const xcb_generic_event_t& event : evil.log()) {
    if ((event.response_type & 0x7f) != XCB_BUTTON_RELEASE) continue;
    const auto& release = reinterpret_cast<const xcb_button_release_event_t&>(event);
    const bool inside = release.event_x >= 0 && release.event_y >= 0 && release.event_x < 50 && release.event_y < 50;
    EXPECT_FALSE(inside);
  }
  EXPECT_TRUE(hand.input.held_buttons().empty());
  EXPECT_EQ(app.count(XCB_BUTTON_PRESS), 0);
}

TEST(Receipts, ARefusedReleaseGoesBackToWhereTheDragBegan) {
  XServer x;
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  (void)window;
  auto connection = std::make_shared<Connection>([&]() -> Result<std::string> { return x.name(); });
  X11Input input(connection);
  auto judge = [](const InputEvent& event) -> Status {
    if (event.kind == EventKind::release && event.dragging && event.at.x > 300) {
      return make_error(Code::gate_refused, "Not there.");
    }
    return {};
  };
  const auto report = input.perform({{MoveTo{{150, 150}}, ButtonDown{}, MoveTo{{350, 150}}, ButtonUp{}}},
                                    engine::PermitMint::mint(judge), Deadline::in(Millis(20000)), {});
  EXPECT_EQ(report.error().code, Code::gate_refused);
  ASSERT_TRUE(app.wait([&] { return app.count(XCB_BUTTON_RELEASE) == 1; }));
  for (const xcb_generic_event_t& event : app.log()) {
    if ((event.response_type & 0x7f) != XCB_BUTTON_RELEASE) continue;
    EXPECT_EQ(reinterpret_cast<const xcb_button_release_event_t&>(event).root_x, 150);
  }
}

class Race : public ::testing::TestWithParam<bool> {};

TEST_P(Race, AFlappingOverlayNeverGetsAClick) {
  XServer x({{1280, 800}, GetParam(), {}});
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", false});
  const xcb_window_t second = app.open({{700, 400, 300, 200}, 0x0000ff, "second", false});
  const PixelRect place = app.place(window);
  const PixelRect other = app.place(second);
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  Flapper flapper(x.name(), {place.x, place.y, 300, 200});
  const int trials = testing::full_run() ? 3000 : 60;
  int clicked = 0;
  int cancelled = 0;
  int refused = 0;
  for (int i = 0; i < trials; ++i) {
    const auto report = hand.perform(click(place.x + 50.0, place.y + 50.0));
    if (report.ok()) {
      ++clicked;
    } else {
      ASSERT_EQ(report.error().code, Code::gate_refused) << to_text(report.error());
      ++(report.error().side_effects == SideEffects::possible ? cancelled : refused);
    }
    // An unfocused window is one whose presses the window manager looks at first.
    if (GetParam()) {
      ASSERT_TRUE(hand.perform(click(other.x + 50.0, other.y + 50.0)).ok());
    }
  }
  flapper.stop();
  std::printf("clicked %d, refused before %d, cancelled after %d, presses at the overlay %d\n", clicked, refused,
              cancelled, flapper.presses);
  EXPECT_EQ(flapper.complete, 0);
  EXPECT_LE(flapper.presses, cancelled);
  EXPECT_GT(clicked, 0);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutAWindowManager, Race, ::testing::Bool());

TEST(Receipts, TheOracleOfTheRaceSeesAClick) {
  XServer x;
  GatedHand hand(x.name());
  Flapper still(x.name(), {100, 100, 300, 200}, false);
  ASSERT_TRUE(hand.perform(click(150, 150)).ok()) << "everything is allowed here";
  still.stop();
  EXPECT_EQ(still.presses, 1);
  EXPECT_EQ(still.complete, 1);
}

TEST(Receipts, AThiefOfTheFocusGetsNoCharacter) {
  XServer x;
  testing::KeyboardOracle app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  XClient thief(x.name());
  const xcb_window_t own = thief.open({{600, 100, 300, 200}, 0x00ff00, "thief", true});
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  const std::string text(200, 'x');
  const int trials = testing::full_run() ? 500 : 15;
  std::mt19937 random(3);
  int stopped = 0;
  for (int i = 0; i < trials; ++i) {
    xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
    app.sync();
    std::thread steal([&, after = random() % 4000] {
      std::this_thread::sleep_for(std::chrono::microseconds(after));
      xcb_set_input_focus(thief.xcb(), XCB_INPUT_FOCUS_PARENT, own, XCB_CURRENT_TIME);
      thief.sync();
    });
    const auto report = hand.perform({TypeText{text}});
    steal.join();
    if (report.ok()) continue;
    ++stopped;
    EXPECT_EQ(report.error().code, Code::gate_refused) << to_text(report.error());
  }
  thief.sync();
  thief.wait([] { return true; });
  EXPECT_EQ(thief.count(XCB_KEY_PRESS), 0);
  std::printf("%d of %d texts were stopped\n", stopped, trials);
  // The thief's own focus, and it gets nothing at all.
  xcb_set_input_focus(thief.xcb(), XCB_INPUT_FOCUS_PARENT, own, XCB_CURRENT_TIME);
  thief.sync();
  EXPECT_EQ(hand.perform({TypeText{"abc"}}).error().code, Code::gate_refused);
  EXPECT_EQ(hand.perform({KeyDown{{XKB_KEY_a}}, KeyUp{{XKB_KEY_a}}}).error().code, Code::gate_refused);
  thief.sync();
  thief.wait([] { return true; });
  EXPECT_EQ(thief.count(XCB_KEY_PRESS), 0);
}

TEST(Receipts, ALongTextArrivesWholeAndIsSeenTo) {
  XServer x;
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  app.sync();
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  ASSERT_TRUE(hand.perform({TypeText{"x"}}).ok());
  const TimePoint start = Clock::now();
  const auto report = hand.perform({TypeText{std::string(1000, 'x')}});
  const double spent = millis_since(start);
  std::printf("1000 characters in %.1f ms\n", spent);
  RecordProperty("thousand_characters_ms", std::to_string(spent));
  ASSERT_TRUE(report.ok()) << to_text(report.error());
  EXPECT_TRUE(report->delivered);
  EXPECT_TRUE(app.wait([&] { return app.count(XCB_KEY_RELEASE) == 1001; }, std::chrono::seconds(20)));
  EXPECT_EQ(app.count(XCB_KEY_PRESS), 1001);
}

TEST(Receipts, AHolderOfTheKeyboardGetsNoKey) {
  XServer x;
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  XClient thief(x.name());
  const xcb_window_t own = thief.open({{600, 100, 300, 200}, 0x00ff00, "thief", true});
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  app.sync();
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  const auto before = hand.perform({TypeText{"ok"}});
  ASSERT_TRUE(before.ok()) << to_text(before.error());
  EXPECT_TRUE(before->delivered);
  std::free(xcb_grab_keyboard_reply(
      thief.xcb(), xcb_grab_keyboard(thief.xcb(), 0, own, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC),
      nullptr));
  EXPECT_EQ(hand.perform({TypeText{"secret"}}).error().code, Code::gate_refused);
  thief.sync();
  thief.wait([] { return true; });
  for (const xcb_generic_event_t& event : thief.log()) {
    if ((event.response_type & 0x7f) != XCB_KEY_PRESS) continue;
    // Only the key that makes nothing, by which the holder was found.
    const auto keycode = reinterpret_cast<const xcb_key_press_event_t&>(event).detail;
    EXPECT_GT(keycode, 200) << "a key that means something";
  }
}

TEST(Receipts, AProgramThatTakesAllKeysIsSeenByTheFirst) {
  XServer x;
  XClient app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  XClient thief(x.name());
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  app.sync();
  xcb_grab_key(thief.xcb(), 1, thief.root(), XCB_MOD_MASK_ANY, XCB_GRAB_ANY, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC);
  thief.sync();
  GatedHand hand(x.name());
  hand.allow(base_of(window));
  const auto report = hand.perform({TypeText{"secret"}});
  EXPECT_EQ(report.error().code, Code::gate_refused);
  thief.sync();
  thief.wait([] { return true; });
  EXPECT_LE(thief.count(XCB_KEY_PRESS), 1);
}

TEST(Receipts, ALayoutThatChangesInTheMiddleStopsTheText) {
  XServer x;
  testing::run({"setxkbmap", "-layout", "us"}, x.name());
  testing::KeyboardOracle app(x.name());
  const xcb_window_t window = app.open({{100, 100, 300, 200}, 0xff0000, "app", true});
  xcb_set_input_focus(app.xcb(), XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
  app.sync();
  auto connection = std::make_shared<Connection>([&]() -> Result<std::string> { return x.name(); });
  X11Input input(connection);
  int portions = 0;
  auto judge = [&](const InputEvent& event) -> Status {
    if (event.kind == EventKind::character) ++portions;
    return {};
  };
  // Between two texts of one plan: the plan has read the map by then.
  std::thread change;
  const auto report = [&] {
    const InputPlan plan{{TypeText{"zy"}, Pause{Millis(2000)}, TypeText{"zy"}}};
    change = std::thread([&] {
      app.wait([&] { return app.count(XCB_KEY_RELEASE) == 2; }, std::chrono::seconds(10));
      const xcb_keysym_t other[] = {XKB_KEY_q, XKB_KEY_Q};
      xcb_change_keyboard_mapping(app.xcb(), 1, 52, 2, other);  // was z
      app.sync();
    });
    return input.perform(plan, engine::PermitMint::mint(judge), Deadline::in(Millis(60000)), {});
  }();
  change.join();
  EXPECT_EQ(report.error().code, Code::target_stale);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
}

TEST(Receipts, HeldAndLatchedModifiersAreInTheChord) {
  XServer x;
  testing::KeyboardOracle person(x.name());
  GatedHand hand(x.name());
  xcb_test_fake_input(person.xcb(), XCB_KEY_PRESS, 133, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);  // Super_L
  person.sync();
  ASSERT_TRUE(hand.perform({KeyDown{{XKB_KEY_q}}, KeyUp{{XKB_KEY_q}}}).ok());
  xcb_test_fake_input(person.xcb(), XCB_KEY_RELEASE, 133, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  person.sync();
  const auto events = hand.events();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, EventKind::key);
  const KeyChord& chord = events.back().chord;
  EXPECT_NE(std::ranges::find(chord.key.keysyms, std::uint32_t{XKB_KEY_q}), chord.key.keysyms.end());
  EXPECT_NE(std::ranges::find(chord.key.keysyms, std::uint32_t{XKB_KEY_Q}), chord.key.keysyms.end());
  ASSERT_EQ(chord.held.size(), 1u);
  EXPECT_EQ(chord.held[0].keycode, 133);
}

}  // namespace
}  // namespace handrail::x11

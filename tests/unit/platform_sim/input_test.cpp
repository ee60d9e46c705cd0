#include "desk.h"

namespace handrail::sim {
namespace {

Key key(const char* name) { return parse_key(name).value(); }

std::vector<Step> chord(const char* modifier, const char* name) {
  return {KeyDown{key(modifier)}, KeyDown{key(name)}, KeyUp{key(name)}, KeyUp{key(modifier)}};
}

TEST(SimInput, TypesIntoTheFieldThatWasClicked) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, click_steps(kSecondField)).ok());
  const auto report = perform(sim, {TypeText{"héllo 日本 🎉\nx\t"}});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->text_acknowledged);
  EXPECT_EQ(report->steps_done, 1u);
  EXPECT_EQ(sim.text(window, 1), "héllo 日本 🎉\nx\t");
  EXPECT_EQ(sim.text(window, 0), "");
}

TEST(SimInput, KeysWithoutAFocusedFieldChangeNothingButAreLogged) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, {TypeText{"a"}}).ok());
  EXPECT_EQ(sim.text(window), "");
  EXPECT_EQ(kinds(sim.log(window)), (std::vector{EventKind::focus_in, EventKind::key_down, EventKind::key_up}));
}

TEST(SimInput, EditsWithBackspaceAndTheClipboard) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  ASSERT_TRUE(perform(sim, {TypeText{"abé"}, KeyDown{key("BackSpace")}, KeyUp{key("BackSpace")}}).ok());
  EXPECT_EQ(sim.text(window), "ab");

  ASSERT_TRUE(perform(sim, chord("ctrl", "a")).ok());
  ASSERT_TRUE(perform(sim, chord("ctrl", "c")).ok());
  EXPECT_EQ(sim.clipboard()->read(Selection::clipboard, std::string(kPlainText), soon()).value(), "ab");
  EXPECT_EQ(sim.clipboard()->read(Selection::primary, std::string(kPlainText), soon()).value(), "ab");
  ASSERT_TRUE(perform(sim, chord("ctrl", "x")).ok());
  EXPECT_EQ(sim.text(window), "");
  ASSERT_TRUE(perform(sim, chord("ctrl", "v")).ok());
  ASSERT_TRUE(perform(sim, chord("ctrl", "v")).ok());
  EXPECT_EQ(sim.text(window), "abab");

  ASSERT_TRUE(perform(sim, click_steps(kSecondField, Button::middle)).ok());
  EXPECT_EQ(sim.text(window, 1), "ab");
}

TEST(SimInput, ShiftMakesCapitalsAndModifiersAreInTheLog) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  ASSERT_TRUE(perform(sim, chord("shift", "a")).ok());
  EXPECT_EQ(sim.text(window), "A");
  const std::vector<Event> log = sim.log(window);
  const Event& letter = log[log.size() - 3];
  EXPECT_EQ(letter.kind, EventKind::key_down);
  EXPECT_EQ(letter.key, key("a"));
  EXPECT_EQ(letter.modifiers, std::vector{Modifier::shift});
}

TEST(SimInput, CountsClicksByPlaceAndVirtualTime) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  const auto counts = [&] {
    std::vector<int> found;
    for (const Event& event : sim.log(window)) {
      if (event.kind == EventKind::press) found.push_back(event.count);
    }
    return found;
  };
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(perform(sim, click_steps(kButton)).ok());
  EXPECT_EQ(counts(), (std::vector{1, 2, 3}));
  ASSERT_TRUE(perform(sim, {Pause{Millis(500)}}).ok());
  ASSERT_TRUE(perform(sim, click_steps(kButton)).ok());
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  EXPECT_EQ(counts(), (std::vector{1, 2, 3, 1, 1}));
  EXPECT_EQ(sim.clicks(window), 4);
}

TEST(SimInput, AButtonReleasedElsewhereIsNotClicked) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, {MoveTo{kButton}, ButtonDown{}, MoveTo{{900, 700}}, ButtonUp{}}).ok());
  EXPECT_EQ(sim.clicks(window), 0);
  // The grab brings the events of a drag to the window that was pressed, also outside of it.
  EXPECT_EQ(kinds(sim.log(window)), (std::vector{EventKind::focus_in, EventKind::motion, EventKind::press,
                                                 EventKind::motion, EventKind::release}));
}

TEST(SimInput, ScrollsTheAreaUnderThePointerOnly) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, {MoveTo{kScroll}, Wheel{2, 3}, Wheel{0, -1}}).ok());
  EXPECT_EQ(sim.scrolled(window), (Point{80, 80}));
  ASSERT_TRUE(perform(sim, {Wheel{0, -9}, MoveTo{kButton}, Wheel{0, 5}}).ok());
  EXPECT_EQ(sim.scrolled(window), (Point{80, 0}));
}

TEST(SimInput, PausesPassOnTheVirtualClockOnly) {
  SimComputer sim;
  const TimePoint start = Clock::now();
  ASSERT_TRUE(sim.input()->perform({{Pause{Millis(60'000)}}}, permit(), Deadline::in(Millis(120'000)), {}).ok());
  EXPECT_EQ(sim.now(), Millis(60'000));
  EXPECT_LT(millis_since(start), 1000);
}

TEST(SimInput, APauseBeyondTheDeadlineLetsGoOfWhatThePlanPressed) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  const InputPlan plan{
      {MoveTo{kButton}, ButtonDown{Button::left}, KeyDown{key("shift")}, Pause{Millis(60'000)}, KeyUp{key("shift")}}};
  const auto report = sim.input()->perform(plan, permit(), Deadline::in(Millis(1000)), {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::timeout);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_TRUE(sim.keys_down().empty());
  EXPECT_TRUE(sim.buttons_down().empty());
  EXPECT_EQ(sim.clicks(window), 1);
}

TEST(SimInput, StopsBetweenAnyTwoEvents) {
  const std::vector<Step> steps{MoveTo{kFirstField},       ButtonDown{},  ButtonUp{},          KeyDown{key("ctrl")},
                                KeyDown{key("shift")},     Wheel{1, 1},   KeyUp{key("shift")}, KeyUp{key("ctrl")},
                                ButtonDown{Button::right}, TypeText{"ab"}};
  constexpr std::size_t kEvents = 14;
  for (std::size_t after = 0; after < kEvents; ++after) {
    SimComputer sim;
    const WindowId window = sim.add_window(form());
    std::stop_source source;
    std::size_t received = 0;
    const auto cancel = [&] {
      source.request_stop();
      received = sim.log(window).size();
    };
    after == 0 ? cancel() : sim.after_event(after, cancel);
    const auto report = perform(sim, steps, source.get_token());
    ASSERT_FALSE(report.ok()) << after;
    EXPECT_EQ(report.error().code, Code::cancelled) << after;
    EXPECT_EQ(report.error().side_effects, after == 0 ? SideEffects::none : SideEffects::partial) << after;
    EXPECT_TRUE(sim.buttons_down().empty()) << after;
    EXPECT_TRUE(sim.keys_down().empty()) << after;
    EXPECT_TRUE(sim.input()->held_buttons().empty()) << after;
    const std::vector<Event> log = sim.log(window);
    for (std::size_t i = received; i < log.size(); ++i) {
      const bool release = log[i].kind == EventKind::release || log[i].kind == EventKind::key_up;
      EXPECT_TRUE(release) << "event " << i << " was sent after cancelling at " << after;
    }
  }
}

TEST(SimInput, RefusesWhatCannotBeSentBeforeTheFirstEvent) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  const std::vector<Event> before = sim.log(window);
  for (const Step& bad : {Step{TypeText{"\xC3"}}, Step{TypeText{"a\x1b"}}, Step{TypeText{"\xC2\x85"}},
                          Step{MoveTo{{-1, 0}}}, Step{MoveTo{{1280, 10}}}}) {
    const auto report = perform(sim, {MoveTo{kButton}, ButtonDown{}, bad});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, Code::argument_invalid);
    EXPECT_EQ(report.error().side_effects, SideEffects::none);
  }
  EXPECT_EQ(sim.log(window), before);
}

TEST(SimInput, HeldButtonsOutliveThePlanUntilReleased) {
  SimComputer sim;
  sim.add_window(form());
  ASSERT_TRUE(perform(sim, {MoveTo{kButton}, ButtonDown{Button::right}, ButtonDown{}, KeyDown{key("alt")}}).ok());
  EXPECT_EQ(sim.input()->held_buttons(), (std::vector{Button::left, Button::right}));
  ASSERT_TRUE(perform(sim, {ButtonUp{Button::right}}).ok());
  EXPECT_EQ(sim.input()->held_buttons(), std::vector{Button::left});
  ASSERT_TRUE(sim.input()->release_all(soon()).ok());
  EXPECT_TRUE(sim.input()->held_buttons().empty());
  EXPECT_TRUE(sim.buttons_down().empty());
  EXPECT_TRUE(sim.keys_down().empty());
}

}  // namespace
}  // namespace handrail::sim

#include "contract/suite.h"

namespace handrail::contract {
namespace {

using Kind = Received::Kind;
using PointerContract = Contract;

TEST_F(PointerContract, ClicksArriveWithPlaceCountAndModifiers) {
  struct Row {
    Button button;
    int count;
    std::vector<Modifier> modifiers;
  };
  const std::vector<Row> rows{
      {Button::left, 1, {}},
      {Button::left, 2, {}},
      {Button::left, 3, {}},
      {Button::middle, 1, {}},
      {Button::right, 1, {}},
      {Button::x1, 1, {}},
      {Button::x2, 1, {}},
      {Button::left, 1, {Modifier::ctrl}},
      {Button::left, 2, {Modifier::shift}},
      {Button::right, 1, {Modifier::ctrl, Modifier::shift}},
  };
  const OpenApp app = probe();
  std::size_t seen = 0;
  Point at{app.content.x + 11, app.content.y + 13};
  for (const Row& row : rows) {
    at = {at.x + 30, at.y + 20};
    std::vector<Step> steps{MoveTo{at}};
    for (const Modifier modifier : row.modifiers) steps.push_back(KeyDown{key_of(modifier)});
    for (int i = 0; i < row.count; ++i) {
      steps.push_back(ButtonDown{row.button});
      steps.push_back(ButtonUp{row.button});
    }
    for (const Modifier modifier : row.modifiers) steps.push_back(KeyUp{key_of(modifier)});
    const auto report = perform(steps);
    ASSERT_OK(report);
    EXPECT_EQ(report->steps_done, steps.size());

    const std::size_t expected = seen + 2 * static_cast<std::size_t>(row.count);
    const std::vector<Received> got = wait_for(app.window, {Kind::press, Kind::release}, expected);
    ASSERT_EQ(got.size(), expected);
    for (; seen < expected; ++seen) {
      EXPECT_EQ(got[seen].kind, seen % 2 == 0 ? Kind::press : Kind::release);
      EXPECT_EQ(got[seen].button, row.button);
      EXPECT_NEAR_POINT(got[seen].at, at, 1);
      EXPECT_EQ(got[seen].modifiers, row.modifiers);
    }
  }
  const DeskState state = desk().state();
  EXPECT_TRUE(state.buttons_down.empty());
  EXPECT_FALSE(state.keys_down);
}

TEST_F(PointerContract, ATripleClickIsOneToTheApp) {
  const OpenApp app = editor();
  ASSERT_OK(perform({TypeText{"first words"}}));
  ASSERT_TRUE(eventually([&] { return desk().text(app.window) == "first words"; }));
  const Point in_text{app.content.x + 20, app.content.y + 10};
  ASSERT_OK(perform({Pause{Millis(600)}, MoveTo{in_text}, ButtonDown{}, ButtonUp{}, ButtonDown{}, ButtonUp{},
                     ButtonDown{}, ButtonUp{}}));
  wait_for(app.window, {Kind::release}, 4);
  ASSERT_OK(perform({TypeText{"z"}}));
  EXPECT_TRUE(eventually([&] { return desk().text(app.window) == "z"; })) << desk().text(app.window);
}

TEST_F(PointerContract, AClickFocusesAndRaisesTheWindowUnderIt) {
  const OpenApp below = probe({100, 100, 400, 300}, kRed);
  const OpenApp above = desk().open_probe("above", {300, 250, 400, 300}, kGreen);
  EXPECT_EQ(desk().state().active, above.window);
  ASSERT_OK(perform({MoveTo{{below.content.x + 30, below.content.y + 30}}, ButtonDown{}, ButtonUp{}}));
  wait_for(below.window, {Kind::release}, 1);
  const DeskState state = desk().state();
  EXPECT_EQ(state.active, below.window);
  EXPECT_EQ(state.windows.back().id, below.window);
}

TEST_F(PointerContract, ADragArrivesInOrder) {
  const OpenApp app = probe();
  const Point from{app.content.x + 50, app.content.y + 50};
  std::vector<Step> steps{MoveTo{from}, ButtonDown{}};
  constexpr int kMoves = 6;
  for (int i = 1; i <= kMoves; ++i) {
    steps.push_back(MoveTo{{from.x + 20 * i, from.y + 10 * i}});
    steps.push_back(Pause{Millis(12)});
  }
  steps.push_back(ButtonUp{});
  ASSERT_OK(perform(steps));
  wait_for(app.window, {Kind::release}, 1);

  std::vector<Received> got = desk().received(app.window);
  while (!got.empty() && got.front().kind != Kind::press) got.erase(got.begin());
  ASSERT_EQ(got.size(), static_cast<std::size_t>(kMoves + 2));
  EXPECT_NEAR_POINT(got.front().at, from, 1);
  for (int i = 1; i <= kMoves; ++i) {
    EXPECT_EQ(got[static_cast<std::size_t>(i)].kind, Kind::motion);
    EXPECT_NEAR_POINT(got[static_cast<std::size_t>(i)].at, (Point{from.x + 20 * i, from.y + 10 * i}), 1);
  }
  EXPECT_EQ(got.back().kind, Kind::release);
  EXPECT_NEAR_POINT(got.back().at, (Point{from.x + 20 * kMoves, from.y + 10 * kMoves}), 1);
}

TEST_F(PointerContract, AButtonLeftDownStaysHeldUntilReleased) {
  const OpenApp app = probe();
  EXPECT_TRUE(input().held_buttons().empty());
  ASSERT_OK(perform({MoveTo{app.content.centre()}, ButtonDown{}}));
  EXPECT_EQ(input().held_buttons(), std::vector{Button::left});
  EXPECT_EQ(desk().state().buttons_down, std::vector{Button::left});
  ASSERT_OK(perform({MoveTo{{app.content.x + 10, app.content.y + 10}}}));
  EXPECT_EQ(desk().state().buttons_down, std::vector{Button::left});
  ASSERT_OK(perform({ButtonUp{}}));
  EXPECT_TRUE(input().held_buttons().empty());
  EXPECT_TRUE(desk().state().buttons_down.empty());
}

TEST_F(PointerContract, ReleaseAllLetsGoOfButtonsAndKeys) {
  const OpenApp app = probe();
  ASSERT_OK(perform({MoveTo{app.content.centre()}, ButtonDown{}, KeyDown{key("shift")}}));
  EXPECT_TRUE(desk().state().keys_down);
  ASSERT_OK(input().release_all(soon()));
  EXPECT_TRUE(input().held_buttons().empty());
  const DeskState state = desk().state();
  EXPECT_TRUE(state.buttons_down.empty());
  EXPECT_FALSE(state.keys_down);
  wait_for(app.window, {Kind::release}, 1);
  // With nothing held it is harmless.
  EXPECT_TRUE(input().release_all(soon()).ok());
}

TEST_F(PointerContract, CancellingInTheMiddleLeavesNothingDown) {
  const OpenApp app = probe();
  std::stop_source source;
  desk().when_received(app.window, Kind::press, [&] { source.request_stop(); });
  const TimePoint start = Clock::now();
  const auto report = perform({MoveTo{app.content.centre()}, KeyDown{key("ctrl")}, ButtonDown{}, Pause{Millis(4000)},
                               MoveTo{{app.content.x + 5, app.content.y + 5}}},
                              source.get_token());
  EXPECT_CODE(report, Code::cancelled);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_LT(millis_since(start), 3000) << "a pause ends early when cancelled";
  const DeskState state = desk().state();
  EXPECT_TRUE(state.buttons_down.empty());
  EXPECT_FALSE(state.keys_down);
  EXPECT_NEAR_POINT(state.pointer, app.content.centre(), 1);
  EXPECT_TRUE(input().held_buttons().empty());
  EXPECT_EQ(wait_for(app.window, {Kind::press, Kind::release}, 2).size(), 2u);
}

TEST_F(PointerContract, CancelledBeforeItStartsNothingIsSent) {
  const OpenApp app = probe();
  const Point before = desk().state().pointer;
  std::stop_source source;
  source.request_stop();
  const auto report = perform({MoveTo{app.content.centre()}, ButtonDown{}, ButtonUp{}}, source.get_token());
  EXPECT_CODE(report, Code::cancelled);
  EXPECT_EQ(report.error().side_effects, SideEffects::none);
  EXPECT_EQ(desk().state().pointer, before);
}

TEST_F(PointerContract, WhatRunsOutOfTimeIsLetGo) {
  const OpenApp app = probe();
  const auto report = perform({MoveTo{app.content.centre()}, KeyDown{key("shift")}, ButtonDown{}, Pause{Millis(60'000)},
                               ButtonUp{}, KeyUp{key("shift")}},
                              {}, Deadline::in(Millis(300)));
  EXPECT_CODE(report, Code::timeout);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  const DeskState state = desk().state();
  EXPECT_TRUE(state.buttons_down.empty());
  EXPECT_FALSE(state.keys_down);
  EXPECT_TRUE(input().held_buttons().empty());
}

TEST_F(PointerContract, AFailedPlanLeavesAloneWhatAnEarlierOneHolds) {
  const OpenApp app = probe();
  ASSERT_OK(perform({MoveTo{app.content.centre()}, ButtonDown{}}));
  const auto report =
      perform({KeyDown{key("shift")}, Pause{Millis(60'000)}, KeyUp{key("shift")}}, {}, Deadline::in(Millis(300)));
  EXPECT_CODE(report, Code::timeout);
  EXPECT_EQ(input().held_buttons(), std::vector{Button::left});
  const DeskState state = desk().state();
  EXPECT_EQ(state.buttons_down, std::vector{Button::left});
  EXPECT_FALSE(state.keys_down);
  ASSERT_OK(input().release_all(soon()));
  EXPECT_TRUE(desk().state().buttons_down.empty());
}

TEST_F(PointerContract, TheWheelTurnsInAllDirections) {
  const OpenApp app = probe();
  ASSERT_OK(perform({MoveTo{app.content.centre()}, Wheel{0, 3}, Wheel{0, -2}, Wheel{2, 0}, Wheel{-1, 0}}));
  const std::vector<Wheel> expected{{0, 1}, {0, 1}, {0, 1}, {0, -1}, {0, -1}, {1, 0}, {1, 0}, {-1, 0}};
  const std::vector<Received> got = wait_for(app.window, {Kind::wheel}, expected.size());
  std::vector<Wheel> turned;
  for (const Received& event : got) {
    turned.push_back(event.wheel);
    EXPECT_NEAR_POINT(event.at, app.content.centre(), 1);
  }
  EXPECT_EQ(turned, expected);
}

TEST_F(PointerContract, APointOnNoDisplayIsRefusedAndNothingIsSent) {
  start(Layout::two);
  const Point before = desk().state().pointer;
  for (const Point bad : {Point{-5, 10}, Point{2304, 10}, Point{1500, 700}}) {
    const auto report = perform({MoveTo{bad}, ButtonDown{}, ButtonUp{}});
    EXPECT_CODE(report, Code::argument_invalid);
    EXPECT_EQ(report.error().side_effects, SideEffects::none);
  }
  EXPECT_EQ(desk().state().pointer, before);
}

TEST_F(PointerContract, AnEmptyPlanIsDone) {
  const auto report = perform({});
  ASSERT_OK(report);
  EXPECT_EQ(report->steps_done, 0u);
  EXPECT_FALSE(report->text_acknowledged);
}

}  // namespace
}  // namespace handrail::contract

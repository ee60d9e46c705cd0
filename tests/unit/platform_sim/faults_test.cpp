#include <thread>

#include "desk.h"

namespace handrail::sim {
namespace {

TEST(SimFaults, AWindowThatVanishesInTheMiddleOfTypingLosesTheRest) {
  SimComputer sim;
  const WindowId below = sim.add_window(form());
  WindowSpec spec = form();
  spec.bounds.x += 30;
  const WindowId window = sim.add_window(spec);
  ASSERT_TRUE(perform(sim, click_steps({kFirstField.x + 30, kFirstField.y})).ok());
  sim.after_event(4, [&] {
    EXPECT_EQ(sim.text(window), "ab");
    sim.vanish(window);
  });
  ASSERT_TRUE(perform(sim, {TypeText{"abcd"}}).ok());
  EXPECT_EQ(sim.focused(), below);
  EXPECT_EQ(sim.text(below), "");
  const auto gone = change(sim, window, WindowVerb::focus);
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, Code::not_found);
}

TEST(SimFaults, TheServerLostInTheMiddleOfAPlan) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  sim.after_event(2, [&] { sim.lose_server(); });
  const auto report = perform(sim, click_steps(kButton));
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::backend_lost);
  EXPECT_EQ(report.error().side_effects, SideEffects::partial);
  EXPECT_EQ(sim.windows()->list(soon()).error().code, Code::backend_lost);
  sim.restore_server();
  EXPECT_EQ(sim.windows()->list(soon()).value().size(), 1u);
  EXPECT_EQ(sim.buttons_down(), std::vector{Button::left});
  sim.lose_server();
  sim.restart_server();
  EXPECT_TRUE(sim.windows()->list(soon()).value().empty());
  EXPECT_TRUE(sim.buttons_down().empty());
  EXPECT_TRUE(sim.log(window).empty());
}

TEST(SimFaults, ASlowAppTakesItsEventsInLater) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  sim.slow_down(window, Millis(60'000));
  const auto report = perform(sim, {TypeText{"late"}});
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->text_acknowledged);
  EXPECT_EQ(sim.text(window), "");
  const auto closed = change(sim, window, WindowVerb::close);
  ASSERT_FALSE(closed.ok());
  EXPECT_EQ(closed.error().code, Code::timeout);
  EXPECT_EQ(closed.error().side_effects, SideEffects::possible);
  sim.advance(Millis(59'999));
  EXPECT_EQ(sim.text(window), "late");
  sim.advance(Millis(1));
  EXPECT_TRUE(sim.windows()->list(soon()).value().empty());
}

TEST(SimFaults, ASlowAppThatAnswersInTimeAcknowledges) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  sim.slow_down(window, Millis(300));
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  const auto report = perform(sim, {TypeText{"ok"}});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->text_acknowledged);
  EXPECT_EQ(sim.text(window), "ok");
}

TEST(SimFaults, AWindowManagerThatDoesNotComply) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  sim.make_stubborn(window);
  const auto moved = change(sim, window, WindowVerb::move, {5, 5, 0, 0});
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().code, Code::timeout);
  EXPECT_EQ(moved.error().side_effects, SideEffects::possible);
  EXPECT_EQ(sim.windows()->list(soon()).value()[0].bounds, form().bounds);
}

TEST(SimFaults, AMissingCapabilityIsAMissingPort) {
  SimComputer sim;
  sim.lack(Capability::clipboard, "a clipboard", "Install one.");
  EXPECT_EQ(sim.clipboard(), nullptr);
  EXPECT_NE(sim.screen(), nullptr);
  EXPECT_FALSE(sim.capabilities()[Capability::clipboard].available);
  EXPECT_EQ(sim.capabilities()[Capability::clipboard].fix, "Install one.");

  sim.lack(Capability::keyboard, "a keyboard", "Plug one in.");
  const auto typed = perform(sim, {MoveTo{{5, 5}}, TypeText{"a"}});
  ASSERT_FALSE(typed.ok());
  EXPECT_EQ(typed.error().code, Code::capability_unsupported);
  EXPECT_EQ(typed.error().hint, "Plug one in.");
  EXPECT_TRUE(perform(sim, {MoveTo{{5, 5}}}).ok());
  sim.lack(Capability::pointer, "a pointer", "Plug one in.");
  EXPECT_EQ(sim.input(), nullptr);
}

TEST(SimFaults, WaitingCanBeSkippedOnOneThread) {
  SimComputer sim(SimSpec{.waiting = Waiting::skip});
  const WindowId window = sim.add_window(form());
  const std::uint64_t seen = sim.screen()->change_count(soon()).value();
  const TimePoint start = Clock::now();
  EXPECT_EQ(sim.screen()->wait_for_change(seen, soon(), {}).error().code, Code::timeout);
  EXPECT_LT(millis_since(start), 1000);

  sim.slow_down(window, Millis(200));
  ASSERT_TRUE(perform(sim, {MoveTo{kFirstField}, ButtonDown{}, ButtonUp{}}).ok());
  const std::uint64_t before = sim.screen()->change_count(soon()).value();
  EXPECT_GT(sim.screen()->wait_for_change(before, soon(), {}).value(), before);
  EXPECT_GE(sim.now(), Millis(200));
}

TEST(SimFaults, ManyThreadsDoNotDisturbOneAnother) {
  SimComputer sim;
  const WindowId window = sim.add_window(form());
  ASSERT_TRUE(perform(sim, click_steps(kFirstField)).ok());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        EXPECT_TRUE(perform(sim, {TypeText{"ab"}}).ok());
        EXPECT_TRUE(sim.screen()->capture(of_window(window), soon()).ok());
        EXPECT_TRUE(sim.windows()->list(soon()).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string expected;
  for (int i = 0; i < 200; ++i) expected += "ab";
  EXPECT_EQ(sim.text(window), expected);
}

}  // namespace
}  // namespace handrail::sim

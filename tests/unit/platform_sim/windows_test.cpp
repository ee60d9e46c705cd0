#include "desk.h"

namespace handrail::sim {
namespace {

std::vector<WindowId> order(SimComputer& sim) {
  std::vector<WindowId> ids;
  const std::vector<Window> windows = sim.windows()->list(soon()).value();
  for (const Window& window : windows) {
    EXPECT_EQ(window.stacking, static_cast<int>(ids.size()));
    ids.push_back(window.id);
  }
  return ids;
}

TEST(SimWindows, AClickRaisesAndFocuses) {
  SimComputer sim;
  const WindowId a = sim.add_window({.bounds = {0, 0, 300, 200}});
  const WindowId b = sim.add_window({.bounds = {200, 100, 300, 200}});
  EXPECT_EQ(order(sim), (std::vector{a, b}));
  EXPECT_EQ(sim.focused(), b);
  ASSERT_TRUE(perform(sim, click_steps({100, 100})).ok());
  EXPECT_EQ(order(sim), (std::vector{b, a}));
  EXPECT_EQ(sim.focused(), a);
}

TEST(SimWindows, AClickOnAFrameFocusesWithoutReachingTheApp) {
  SimComputer sim;
  const WindowId a = sim.add_window({.bounds = {0, 0, 300, 200}});
  sim.add_window({.bounds = {400, 100, 300, 200}});
  ASSERT_TRUE(perform(sim, click_steps({100, 5})).ok());
  EXPECT_EQ(sim.focused(), a);
  EXPECT_EQ(kinds(sim.log(a)), (std::vector{EventKind::focus_in, EventKind::focus_out, EventKind::focus_in}));
}

TEST(SimWindows, FocusRestoresAndGoesToTheWorkspace) {
  SimComputer sim;
  const WindowId here = sim.add_window({});
  const WindowId there = sim.add_window({.workspace = 2});
  EXPECT_EQ(sim.focused(), here);
  EXPECT_FALSE(sim.windows()->list(soon()).value()[1].visible);
  ASSERT_TRUE(change(sim, there, WindowVerb::minimise).ok());
  const Window now = change(sim, there, WindowVerb::focus).value();
  EXPECT_TRUE(now.focused);
  EXPECT_TRUE(now.visible);
  EXPECT_EQ(now.state, WindowState::normal);
  EXPECT_FALSE(sim.windows()->list(soon()).value()[0].visible);
  EXPECT_EQ(sim.windows()->list(soon()).value()[0].id, here);
}

TEST(SimWindows, MoveResizeMinimiseCloseAreTold) {
  SimComputer sim;
  const WindowId below = sim.add_window({});
  const WindowId window = sim.add_window({.bounds = {10, 20, 300, 200}});
  EXPECT_EQ(change(sim, window, WindowVerb::move, {50, 60, 0, 0}).value().bounds, (Rect{50, 60, 300, 200}));
  EXPECT_EQ(change(sim, window, WindowVerb::resize, {0, 0, 400, 250}).value().bounds, (Rect{50, 60, 400, 250}));
  EXPECT_EQ(change(sim, window, WindowVerb::minimise).value().state, WindowState::minimised);
  EXPECT_EQ(sim.focused(), below);
  EXPECT_EQ(change(sim, window, WindowVerb::close).value().id, window);
  EXPECT_EQ(order(sim), std::vector{below});
  EXPECT_EQ(change(sim, window, WindowVerb::close).error().code, Code::not_found);
  EXPECT_EQ(change(sim, below, WindowVerb::resize, {0, 0, 0, 5}).error().code, Code::argument_invalid);
}

SimSpec with_apps() {
  const auto app = [](const char* id, const char* name) {
    AppSpec spec;
    spec.app.id = id;
    spec.app.name = name;
    spec.window.title = name;
    return spec;
  };
  return {
      .apps = {app("org.sim.notes", "Notes"), app("org.sim.notepad", "Notepad"), app("org.sim.calc", "Calculator")}};
}

Result<OpenedApp> open(SimComputer& sim, const std::string& name) {
  return sim.apps()->open({name}, permit(), soon(), {});
}

TEST(SimApps, AreFoundByIdNameOrUniquePart) {
  SimComputer sim(with_apps());
  EXPECT_EQ(open(sim, "org.sim.notes").value().window->title, "Notes");
  EXPECT_EQ(open(sim, "NOTEPAD").value().window->title, "Notepad");
  EXPECT_EQ(open(sim, "calc").value().window->title, "Calculator");
  EXPECT_EQ(open(sim, "nothing").error().code, Code::not_found);
  EXPECT_EQ(open(sim, "").error().code, Code::not_found);
  const Error several = open(sim, "note").error();
  EXPECT_EQ(several.code, Code::ambiguous);
  EXPECT_NE(several.message.find("org.sim.notes, org.sim.notepad"), std::string::npos);
}

TEST(SimApps, ARunningAppComesToTheFront) {
  SimComputer sim(with_apps());
  const OpenedApp first = open(sim, "Notes").value();
  EXPECT_FALSE(first.was_running);
  ASSERT_TRUE(open(sim, "Calculator").ok());
  const OpenedApp again = open(sim, "Notes").value();
  EXPECT_TRUE(again.was_running);
  EXPECT_EQ(again.window->id, first.window->id);
  EXPECT_TRUE(again.window->focused);
  EXPECT_EQ(again.app.pids, std::vector{first.window->pid});
  ASSERT_TRUE(change(sim, first.window->id, WindowVerb::close).ok());
  EXPECT_FALSE(open(sim, "Notes").value().was_running);
}

TEST(SimApps, ALateWindowIsNone) {
  SimComputer sim;
  sim.add_app({.app = {"slow", "Slow", "", {}}, .window = {}, .start_time = Millis(60'000)});
  const OpenedApp opened = open(sim, "slow").value();
  EXPECT_FALSE(opened.window.has_value());
  EXPECT_EQ(opened.app.pids.size(), 1u);
  sim.advance(Millis(60'000));
  EXPECT_EQ(sim.windows()->list(soon()).value()[0].pid, opened.app.pids[0]);
}

}  // namespace
}  // namespace handrail::sim

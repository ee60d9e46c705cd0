#include <algorithm>

#include "contract/suite.h"

namespace handrail::contract {
namespace {

using WindowContract = Contract;

Window listed(Windows& windows, WindowId id) {
  const auto list = windows.list(soon());
  EXPECT_TRUE(list.ok());
  if (!list.ok()) return {};
  const auto found = std::find_if(list->begin(), list->end(), [id](const Window& w) { return w.id == id; });
  EXPECT_NE(found, list->end());
  return found == list->end() ? Window{} : *found;
}

TEST_F(WindowContract, AnEmptyDesktopHasNoWindows) {
  const auto list = windows().list(soon());
  ASSERT_OK(list);
  EXPECT_TRUE(list->empty());
}

TEST_F(WindowContract, TheListIsLowestFirstAndTrue) {
  const OpenApp one = desk().open_probe("one é日", {50, 60, 300, 200}, kRed);
  const OpenApp two = desk().open_probe("two", {200, 160, 300, 200}, kGreen);
  const OpenApp three = desk().open_probe("three", {400, 260, 300, 200}, kRed);
  ASSERT_OK(perform({MoveTo{{one.content.x + 10, one.content.y + 10}}, ButtonDown{}, ButtonUp{}}));
  wait_for(one.window, {Received::Kind::release}, 1);

  const auto list = windows().list(soon());
  ASSERT_OK(list);
  const DeskState state = desk().state();
  ASSERT_EQ(list->size(), state.windows.size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Window& told = (*list)[i];
    const ShownWindow& true_one = state.windows[i];
    EXPECT_EQ(told.id, true_one.id);
    EXPECT_EQ(told.stacking, static_cast<int>(i));
    EXPECT_EQ(told.title, true_one.title);
    EXPECT_EQ(told.bounds, true_one.frame);
    EXPECT_EQ(told.content, true_one.content);
    EXPECT_EQ(told.focused, state.active == told.id);
    EXPECT_EQ(told.state, WindowState::normal);
    EXPECT_EQ(told.workspace, 0);
    EXPECT_TRUE(told.visible);
    EXPECT_FALSE(told.app.empty());
  }
  EXPECT_EQ(state.windows.back().id, one.window);
  EXPECT_EQ(listed(windows(), one.window).pid, one.pid);
  EXPECT_EQ(listed(windows(), two.window).pid, two.pid);
  EXPECT_EQ(listed(windows(), three.window).title, "three");
  EXPECT_EQ(listed(windows(), one.window).title, "one é日");
}

TEST_F(WindowContract, FocusRaisesAndActivates) {
  const OpenApp below = desk().open_probe("below", {100, 100, 300, 200}, kRed);
  const OpenApp above = desk().open_probe("above", {120, 120, 300, 200}, kGreen);
  EXPECT_EQ(desk().state().active, above.window);
  const auto now = change(below.window, WindowVerb::focus);
  ASSERT_OK(now);
  EXPECT_TRUE(now->focused);
  EXPECT_EQ(now->stacking, 1);
  const DeskState state = desk().state();
  EXPECT_EQ(state.active, below.window);
  EXPECT_EQ(state.windows.back().id, below.window);
  // What is focused already stays so, and the answer comes as well.
  ASSERT_OK(change(below.window, WindowVerb::focus));
}

TEST_F(WindowContract, MoveAndResizeAreByTheFrame) {
  const OpenApp app = probe({100, 100, 400, 300});
  const auto moved = change(app.window, WindowVerb::move, {333, 222, 0, 0});
  ASSERT_OK(moved);
  EXPECT_EQ(moved->bounds.origin(), (Point{333, 222}));
  EXPECT_EQ(moved->bounds, desk().state().find(app.window)->frame);
  EXPECT_EQ(moved->content, desk().state().find(app.window)->content);

  const auto sized = change(app.window, WindowVerb::resize, {0, 0, 500, 410});
  ASSERT_OK(sized);
  EXPECT_EQ(sized->bounds, (Rect{333, 222, 500, 410}));
  EXPECT_EQ(desk().state().find(app.window)->frame, sized->bounds);
  // The same again changes nothing and is answered too.
  ASSERT_OK(change(app.window, WindowVerb::resize, {0, 0, 500, 410}));
}

TEST_F(WindowContract, MinimiseHidesAndFocusBringsBack) {
  const OpenApp app = probe();
  const auto hidden = change(app.window, WindowVerb::minimise);
  ASSERT_OK(hidden);
  EXPECT_EQ(hidden->state, WindowState::minimised);
  EXPECT_FALSE(hidden->visible);
  EXPECT_FALSE(desk().state().find(app.window)->viewable);
  EXPECT_EQ(listed(windows(), app.window).state, WindowState::minimised);

  const auto back = change(app.window, WindowVerb::focus);
  ASSERT_OK(back);
  EXPECT_EQ(back->state, WindowState::normal);
  EXPECT_TRUE(back->visible);
  EXPECT_TRUE(back->focused);
  EXPECT_TRUE(desk().state().find(app.window)->viewable);
}

TEST_F(WindowContract, CloseEndsTheWindowAndTellsTheLastSeen) {
  const OpenApp app = probe();
  const auto closed = change(app.window, WindowVerb::close);
  ASSERT_OK(closed);
  EXPECT_EQ(closed->id, app.window);
  EXPECT_EQ(closed->title, "probe");
  EXPECT_EQ(desk().state().find(app.window), nullptr);
  const auto list = windows().list(soon());
  ASSERT_OK(list);
  EXPECT_TRUE(list->empty());
  EXPECT_CODE(change(app.window, WindowVerb::close), Code::not_found);
}

TEST_F(WindowContract, PlaceMovesAndResizesInOne) {
  const OpenApp app = probe({100, 100, 400, 300});
  const auto placed = change(app.window, WindowVerb::place, {50, 70, 350, 260});
  ASSERT_OK(placed);
  EXPECT_EQ(placed->bounds, (Rect{50, 70, 350, 260}));
  EXPECT_EQ(desk().state().find(app.window)->frame, placed->bounds);
  EXPECT_CODE(change(app.window, WindowVerb::place, {50, 70, 0, 260}), Code::argument_invalid);
}

TEST_F(WindowContract, MaximiseAndRestoreGoBothWays) {
  const OpenApp app = probe({100, 100, 400, 300});
  const Rect before = desk().state().find(app.window)->frame;
  const auto large = change(app.window, WindowVerb::maximise);
  ASSERT_OK(large);
  EXPECT_EQ(large->state, WindowState::maximised);
  EXPECT_GT(large->bounds.width, before.width);
  const auto back = change(app.window, WindowVerb::restore);
  ASSERT_OK(back);
  EXPECT_EQ(back->state, WindowState::normal);
  EXPECT_EQ(back->bounds, before);
  ASSERT_OK(change(app.window, WindowVerb::minimise));
  EXPECT_CODE(change(app.window, WindowVerb::maximise), Code::argument_invalid);
  const auto shown = change(app.window, WindowVerb::restore);
  ASSERT_OK(shown);
  EXPECT_TRUE(shown->visible);
}

TEST_F(WindowContract, RaiseLeavesTheFocus) {
  const OpenApp below = desk().open_probe("below", {100, 100, 300, 200}, kRed);
  const OpenApp above = desk().open_probe("above", {120, 120, 300, 200}, kGreen);
  ASSERT_OK(change(below.window, WindowVerb::raise));
  const DeskState state = desk().state();
  EXPECT_EQ(state.windows.back().id, below.window);
  EXPECT_EQ(state.active, above.window);
}

TEST_F(WindowContract, WorkspacesTakeWindows) {
  const auto all = windows().workspaces(soon());
  ASSERT_OK(all);
  ASSERT_GT(all->size(), 1u);
  EXPECT_TRUE(all->front().current);
  const OpenApp app = probe();
  ChangeWindow send;
  send.window = app.window;
  send.verb = WindowVerb::send;
  send.workspace = 1;
  const auto sent = windows().change(send, permit(), soon(), {});
  ASSERT_OK(sent);
  EXPECT_EQ(sent->workspace, 1);
  ASSERT_OK(windows().switch_workspace(1, permit(), soon(), {}));
  const auto now = windows().workspaces(soon());
  ASSERT_OK(now);
  EXPECT_TRUE((*now)[1].current);
  EXPECT_TRUE(eventually([&] { return desk().state().find(app.window)->viewable; }));
  send.workspace = static_cast<int>(all->size());
  EXPECT_CODE(windows().change(send, permit(), soon(), {}), Code::argument_invalid);
  EXPECT_CODE(windows().switch_workspace(send.workspace, permit(), soon(), {}), Code::argument_invalid);
}

TEST_F(WindowContract, UnknownWindowsAreNotFound) {
  const OpenApp app = probe();
  desk().kill(app.window);
  for (const WindowVerb verb :
       {WindowVerb::focus, WindowVerb::move, WindowVerb::resize, WindowVerb::minimise, WindowVerb::close}) {
    for (const WindowId id : {app.window, WindowId{0x7fffff1}, WindowId{0}, WindowId{1} << 40}) {
      const auto answer = change(id, verb, {10, 10, 300, 200});
      EXPECT_CODE(answer, Code::not_found);
      EXPECT_EQ(answer.error().side_effects, SideEffects::none);
    }
  }
}

TEST_F(WindowContract, ACancelledChangeDoesNothing) {
  const OpenApp app = probe();
  std::stop_source source;
  source.request_stop();
  const auto answer = windows().change({app.window, WindowVerb::minimise, {}}, permit(), soon(), source.get_token());
  EXPECT_CODE(answer, Code::cancelled);
  EXPECT_TRUE(desk().state().find(app.window)->viewable);
}

}  // namespace
}  // namespace handrail::contract

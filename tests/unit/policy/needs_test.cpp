#include "policy/needs.h"

#include <gtest/gtest.h>

namespace handrail::policy {
namespace {

using catalog::Tier;
using Where = Need::Where;

Need point(double x, double y, Tier tier, const char* role = "the point") {
  return {Where::point, {x, y}, 0, "", tier, role};
}
const Need kFocus{Where::focus, {}, 0, "", Tier::full, "the keyboard focus"};
Need pointer(Tier tier) { return {Where::pointer, {}, 0, "", tier, "the pointer's place"}; }

std::vector<Need> of(std::vector<Step> steps, ButtonBefore before = ButtonBefore::up) {
  return needs_of(InputPlan{std::move(steps)}, before);
}

const KeyDown kCtrl{{0xffe3}};
const KeyUp kCtrlUp{{0xffe3}};

TEST(Needs, of_a_click_are_at_its_point) {
  EXPECT_EQ(of({MoveTo{{1, 2}}}), (std::vector{point(1, 2, Tier::click)}));
  EXPECT_EQ(of({MoveTo{{1, 2}}, ButtonDown{}, ButtonUp{}}), (std::vector{point(1, 2, Tier::click)}));
  EXPECT_EQ(of({MoveTo{{1, 2}}, ButtonDown{}, ButtonUp{}, ButtonDown{}, ButtonUp{}}),
            (std::vector{point(1, 2, Tier::click)}));
  for (const Button button : {Button::middle, Button::right, Button::x1, Button::x2}) {
    EXPECT_EQ(of({MoveTo{{1, 2}}, ButtonDown{button}, ButtonUp{button}}), (std::vector{point(1, 2, Tier::full)}));
  }
  EXPECT_EQ(of({MoveTo{{1, 2}}, Wheel{0, 3}}), (std::vector{point(1, 2, Tier::click)}));
  EXPECT_EQ(of({Wheel{0, 3}}), (std::vector{pointer(Tier::click)}));
}

TEST(Needs, of_modifiers_are_full_at_the_point_and_the_focus) {
  EXPECT_EQ(of({MoveTo{{1, 2}}, kCtrl, ButtonDown{}, ButtonUp{}, kCtrlUp}),
            (std::vector{point(1, 2, Tier::full), kFocus}));
  EXPECT_EQ(of({MoveTo{{1, 2}}, kCtrl, Wheel{0, 1}, kCtrlUp}), (std::vector{point(1, 2, Tier::full), kFocus}));
}

TEST(Needs, of_a_drag_are_full_at_both_ends) {
  EXPECT_EQ(
      of({MoveTo{{0, 0}}, ButtonDown{}, MoveTo{{5, 5}}, Pause{}, MoveTo{{9, 9}}, ButtonUp{}}),
      (std::vector{point(0, 0, Tier::full, "the start of the drag"), point(9, 9, Tier::full, "the end of the drag")}));
  // Back to where it began is a drag all the same.
  EXPECT_EQ(of({MoveTo{{0, 0}}, ButtonDown{}, MoveTo{{5, 5}}, MoveTo{{0, 0}}, ButtonUp{}}),
            (std::vector{point(0, 0, Tier::full, "the start of the drag")}));
}

TEST(Needs, of_a_drag_in_pieces_are_full) {
  EXPECT_EQ(of({ButtonDown{}}), (std::vector<Need>{{Where::pointer, {}, 0, "", Tier::full, "the point"}}));
  EXPECT_EQ(of({ButtonUp{}}), (std::vector{pointer(Tier::full)}));
  EXPECT_EQ(of({MoveTo{{3, 4}}}, ButtonBefore::down), (std::vector{point(3, 4, Tier::full, "the way of the drag")}));
  EXPECT_EQ(of({MoveTo{{3, 4}}, ButtonUp{}}, ButtonBefore::down),
            (std::vector{point(3, 4, Tier::full, "the way of the drag")}));
}

TEST(Needs, of_keys_and_text_are_at_the_focus) {
  EXPECT_EQ(of({TypeText{"x"}}), (std::vector{kFocus}));
  EXPECT_EQ(of({kCtrl, kCtrlUp}), (std::vector{kFocus}));
  EXPECT_EQ(of({kCtrlUp}), (std::vector{kFocus}));
  EXPECT_EQ(of({Pause{Millis{5}}}), std::vector<Need>{});
  EXPECT_EQ(of({}), std::vector<Need>{});
}

TEST(Needs, of_windows_apps_and_the_clipboard) {
  for (const WindowVerb verb :
       {WindowVerb::focus, WindowVerb::move, WindowVerb::resize, WindowVerb::minimise, WindowVerb::place,
        WindowVerb::maximise, WindowVerb::restore, WindowVerb::raise, WindowVerb::send}) {
    EXPECT_EQ(needs_of(ChangeWindow{7, verb, {}}),
              (std::vector<Need>{{Where::window, {}, 7, "", Tier::click, "the window"}}));
  }
  EXPECT_EQ(needs_of(ChangeWindow{7, WindowVerb::close, {}}),
            (std::vector<Need>{{Where::window, {}, 7, "", Tier::full, "the window"}}));
  EXPECT_EQ(needs_of(OpenApp{"gedit"}), (std::vector<Need>{{Where::app, {}, 0, "gedit", Tier::read, "the app"}}));
  EXPECT_EQ(needs_of(OpenApp{"gedit", "/tmp/a"}),
            (std::vector<Need>{{Where::app, {}, 0, "gedit", Tier::full, "the app"}}));
  EXPECT_EQ(needs_of(ChangeApp{"x", 9, AppVerb::quit, {7}}),
            (std::vector<Need>{{Where::process, {}, 0, "", Tier::full, "the app", 9},
                               {Where::window, {}, 7, "", Tier::full, "the window"}}));
  EXPECT_EQ(needs_of(SwitchWorkspace{1}), std::vector<Need>{});
  EXPECT_EQ(needs_of(ChangeSystem{}), std::vector<Need>{});
  EXPECT_EQ(needs_of(CallService{"a.b", "/", "a.b", "c"}), std::vector<Need>{});
  EXPECT_EQ(needs_of(WriteClipboard{}),
            (std::vector<Need>{{Where::clipboard, {}, 0, "", Tier::none, "the clipboard"}}));
}

TEST(Needs, of_events) {
  const auto needed = [](EventKind kind, Button button, bool dragging) {
    InputEvent event;
    event.kind = kind;
    event.button = button;
    event.dragging = dragging;
    return tier_needed(event);
  };
  EXPECT_EQ(needed(EventKind::move, Button::left, false), Tier::click);
  EXPECT_EQ(needed(EventKind::move, Button::left, true), Tier::full);
  EXPECT_EQ(needed(EventKind::wheel, Button::left, false), Tier::click);
  EXPECT_EQ(needed(EventKind::key, Button::left, false), Tier::full);
  EXPECT_EQ(needed(EventKind::character, Button::left, false), Tier::full);
  for (const EventKind kind : {EventKind::press, EventKind::release, EventKind::received}) {
    EXPECT_EQ(needed(kind, Button::left, false), Tier::click);
    for (const Button button : {Button::middle, Button::right, Button::x1, Button::x2}) {
      EXPECT_EQ(needed(kind, button, false), Tier::full);
    }
  }
  EXPECT_EQ(needed(EventKind::release, Button::left, true), Tier::full);
  InputEvent key;
  key.kind = EventKind::received;
  key.chord.key.keycode = 38;
  EXPECT_EQ(tier_needed(key), Tier::full);
}

}  // namespace
}  // namespace handrail::policy

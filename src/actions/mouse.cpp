#include "actions/mouse.h"

#include <fmt/format.h>

#include "actions/context.h"
#include "actions/elements.h"
#include "actions/plan/pointer.h"
#include "actions/pressing.h"
#include "actions/scrolling.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::string_view kClickInFront = "Repeat it with `delivery` foreground, which clicks there.";

// Coordinates are of a window that may be covered: it comes to the front meanwhile. Without a target they are of the
// screen as it is.
Result<Outcome> perform_there(ActionContext& context, Delivery delivery, const InputPlan& plan) {
  const Result<bool> in_front = context.in_front();
  if (!in_front.ok() || *in_front) return context.perform(plan);
  const Target target = TRY(context.aim("", {}));
  return context.perform_by_hand(delivery, target.window, plan);
}

Result<Outcome> run_click(ActionContext& context, const Click& click) {
  const Point at = TRY(context.locate(click.at, click.basis, "at"));
  const bool plain = click.button == Button::left && click.count == 1 && click.modifiers.empty();
  if (click.delivery == Delivery::background && plain) {
    if (const auto there = TRY(context.element_at(at))) {
      Result<Outcome> pressed = press(context, *there, at);
      if (pressed.ok() || pressed.error().code != Code::capability_unsupported) return pressed;
      const bool by_hand = TRY(context.in_front()) || may_by_hand(context, there->element, pressed.error());
      if (!by_hand) return or_in_front(std::move(pressed).error(), kClickInFront);
    }
  }
  // The person's pointer is used only where nothing of theirs is covered or loses the focus.
  const bool beside = click.delivery == Delivery::background && !TRY(context.in_front());
  if (beside && !may_click_beside(context, click.button)) return needs_front("This click");
  return perform_there(context, click.delivery, plan::click(at, click.button, click.count, click.modifiers));
}

Result<Outcome> run_drag(ActionContext& context, const Drag& drag) {
  // Before it is known where: nothing is worse than half a drag.
  const bool beside = drag.delivery == Delivery::background;
  if (beside && !may_click_beside(context, drag.button)) return no_drag();
  if (beside && !drag.from) {
    return make_error(Code::argument_invalid, "In the background a drag begins where it is told to.")
        .with_field("from", "the point to drag from");
  }
  std::vector<Point> points;
  points.push_back(drag.from ? TRY(context.locate(*drag.from, drag.basis, "from")) : TRY(context.cursor()));
  for (std::size_t i = 0; i < drag.path.size(); ++i) {
    points.push_back(TRY(context.locate(drag.path[i], drag.basis, fmt::format("path[{}]", i))));
  }
  points.push_back(TRY(context.locate(drag.to, drag.basis, "to")));
  return perform_there(context, drag.delivery, plan::drag(points, drag.button, drag.modifiers));
}

Result<Outcome> run_move(ActionContext& context, const Move& move) {
  const Point at = TRY(context.locate(move.at, move.basis, "at"));
  Outcome outcome = TRY(context.perform(plan::move(at)));
  outcome.data = describe::encode(PointerAt{move.at});
  return outcome;
}

Result<Outcome> run_scroll(ActionContext& context, const Scroll& scroll) {
  const Point at = TRY(context.locate(scroll.at, scroll.basis, "at"));
  if (scroll.delivery == Delivery::background) {
    const bool keys = !scroll.modifiers.empty();
    Result<Outcome> done =
        keys ? needs_front("Scrolling with keys held") : scroll_by_bar(context, at, scroll.direction, scroll.amount);
    if (done.ok() || !may_wheel(context, done.error())) return done;
  }
  const Point ticks = wheel_ticks(scroll.direction, scroll.amount);
  return perform_there(context, scroll.delivery,
                       plan::scroll(at, static_cast<int>(ticks.x), static_cast<int>(ticks.y), scroll.modifiers));
}

Result<Outcome> run_button_down(ActionContext& context, const HoldButton& hold) {
  return context.perform(plan::press(hold.button));
}

Result<Outcome> run_button_up(ActionContext& context, const HoldButton& hold) {
  return context.perform(plan::release(hold.button));
}

constexpr std::array kClick{
    Example{"Click a button.", R"({"at": [640, 400]})"},
    Example{"Select a word.", R"({"at": [120, 88], "count": 2})"},
    Example{"Select a line.", R"({"at": [120, 88], "count": 3})"},
    Example{"Open a link in a new tab.", R"({"at": [300, 200], "button": "middle"})"},
    Example{"Open a context menu.", R"({"at": [300, 200], "button": "right"})"},
    Example{"Extend a selection.", R"({"at": [300, 200], "modifiers": ["shift"]})"},
};
constexpr std::array kDrag{
    Example{"Drag a file to a folder.", R"({"from": [100, 200], "to": [500, 200]})"},
    Example{"Draw a corner.", R"({"from": [100, 100], "path": [[200, 100]], "to": [200, 200]})"},
};
constexpr std::array kMove{Example{"Hover over a menu.", R"({"at": [40, 12]})"}};
constexpr std::array kScroll{
    Example{"Read on.", R"({"at": [640, 400], "direction": "down", "amount": 5})"},
    Example{"Zoom in.", R"({"at": [640, 400], "direction": "up", "modifiers": ["ctrl"]})"},
};
constexpr std::array kHold{Example{"The left button.", R"({"button": "left"})"}};

constexpr std::array kMouseActions{
    action<Click, NoResult, run_click>("click", Category::mouse, Touches::pointer, Tier::click, Capability::pointer,
                                       "Click at a point, once, twice or three times.", kClick),
    action<Drag, NoResult, run_drag>("drag", Category::mouse, Touches::pointer, Tier::full, Capability::pointer,
                                     "Press at one point, move along a path and release at another.", kDrag),
    action<Move, PointerAt, run_move>("move", Category::mouse, Touches::pointer, Tier::click, Capability::pointer,
                                      "Move the pointer without clicking.", kMove),
    action<Scroll, NoResult, run_scroll>("scroll", Category::mouse, Touches::pointer, Tier::click, Capability::pointer,
                                         "Turn the wheel at a point.", kScroll),
    action<HoldButton, NoResult, run_button_down>("button_down", Category::mouse, Touches::pointer, Tier::full,
                                                  Capability::pointer,
                                                  "Press a mouse button where the pointer is and keep it down.", kHold),
    action<HoldButton, NoResult, run_button_up>("button_up", Category::mouse, Touches::pointer, Tier::full,
                                                Capability::pointer, "Release a mouse button that is down.", kHold),
};

}  // namespace

Point wheel_ticks(ScrollDirection direction, int amount) {
  const double ticks = amount;
  switch (direction) {
    case ScrollDirection::up: return {0, -ticks};
    case ScrollDirection::down: return {0, ticks};
    case ScrollDirection::left: return {-ticks, 0};
    case ScrollDirection::right: break;
  }
  return {ticks, 0};
}

std::span<const catalog::ActionSpec> mouse_actions() { return kMouseActions; }

}  // namespace handrail::actions

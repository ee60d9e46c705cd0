#include <algorithm>
#include <cmath>

#include "platform/sim/characters.h"
#include "platform/sim/ports.h"

namespace handrail::sim {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

bool is_pointer_step(const Step& step) {
  return std::holds_alternative<MoveTo>(step) || std::holds_alternative<ButtonDown>(step) ||
         std::holds_alternative<ButtonUp>(step) || std::holds_alternative<Wheel>(step);
}

// Everything that can be refused is refused before the first event.
Status check(Hub& hub, const InputPlan& plan, Deadline deadline) {
  const Capabilities capabilities = hub.capabilities();
  for (const Step& step : plan.steps) {
    if (std::holds_alternative<Pause>(step)) continue;
    const Capability needed = is_pointer_step(step) ? Capability::pointer : Capability::keyboard;
    if (const CapabilityState& state = capabilities[needed]; !state.available) {
      return make_error(Code::capability_unsupported, "This desktop lacks " + state.missing + ".").with_hint(state.fix);
    }
    if (const auto* text = std::get_if<TypeText>(&step)) TRY(keys_for(text->text));
    if (const auto* move = std::get_if<MoveTo>(&step)) {
      const bool there = TRY(hub.use(deadline, [&](Desktop& desktop) -> Result<bool> {
        return std::isfinite(move->at.x) && std::isfinite(move->at.y) &&
               display_at(desktop.displays(), move->at) != nullptr;
      }));
      if (!there) {
        return make_error(Code::argument_invalid, "The point is on no display.")
            .with_field("at", "a point on a display");
      }
    }
  }
  return {};
}

using Kind = handrail::EventKind;

// Sends one plan, event by event, and remembers what it pressed.
class Sender {
 public:
  Sender(Hub& hub, const Permit& permit, Deadline deadline, std::stop_token stop)
      : hub_(hub), permit_(permit), deadline_(deadline), stop_(std::move(stop)) {}

  Status send(const Step& step) {
    return std::visit(Overloaded{
                          [&](const MoveTo& to) { return move(to); },
                          [&](const ButtonDown& down) { return press(down.button); },
                          [&](const ButtonUp& up) { return release(up.button); },
                          [&](const Wheel& wheel) { return ticks(wheel); },
                          [&](const KeyDown& down) { return press(down.key); },
                          [&](const KeyUp& up) { return release(up.key); },
                          [&](const TypeText& text) { return type(text); },
                          [&](const Pause& pause) { return wait(pause.span); },
                      },
                      step);
  }

  // Whether the app that has the focus takes its last key in before the deadline.
  bool acknowledged() {
    if (!sent_keys_) return false;
    const auto took = hub_.use(deadline_, [&](Desktop& desktop) -> Result<bool> {
      const SimWindow* window = desktop.focused() ? desktop.find(*desktop.focused()) : nullptr;
      if (window == nullptr || window->delay > deadline_.left()) return false;
      desktop.advance(window->delay);
      return true;
    });
    return took.ok() && *took;
  }

  bool sent_any() const { return sent_any_; }
  const Held& pressed() const { return pressed_; }

 private:
  // Judged and sent under one lock: nothing comes between.
  template <class Act>
  Status one(InputEvent event, Act act) {
    if (stop_.stop_requested()) return make_error(Code::cancelled, "The plan was cancelled.");
    const Status sent = hub_.use(deadline_, [&](Desktop& desktop) -> Status {
      const bool keys = event.kind == Kind::key || event.kind == Kind::character;
      if (event.kind != Kind::move) event.at = desktop.pointer();
      event.receiver = keys ? focus_of(desktop) : receiver_of(desktop.top_at(event.at));
      for (const Key held : desktop.keys_down()) event.chord.held.push_back({0, {held.keysym}});
      event.dragging = dragging_;
      TRY(permit_.judge(event));
      act(desktop);
      return {};
    });
    if (!sent.ok()) return sent;
    sent_any_ = true;
    hub_.event_sent();
    return {};
  }

  static InputEvent event(Kind kind) {
    InputEvent made;
    made.kind = kind;
    return made;
  }

  Status move(const MoveTo& to) {
    InputEvent moved = event(Kind::move);
    moved.at = to.at;
    TRY(one(moved, [&](Desktop& d) { d.move_pointer(to.at); }));
    dragging_ = !pressed_.buttons.empty();
    return {};
  }
  Status press(Button button) {
    InputEvent pressed = event(Kind::press);
    pressed.button = button;
    TRY(one(pressed, [&](Desktop& d) { d.press(button); }));
    pressed_.buttons.push_back(button);
    return {};
  }
  Status release(Button button) {
    InputEvent released = event(Kind::release);
    released.button = button;
    TRY(one(released, [&](Desktop& d) { d.release(button); }));
    std::erase(pressed_.buttons, button);
    dragging_ = dragging_ && !pressed_.buttons.empty();
    return {};
  }
  Status press(Key key, Kind kind = Kind::key) {
    InputEvent pressed = event(kind);
    pressed.chord.key = {0, {key.keysym}};
    TRY(one(pressed, [&](Desktop& d) { d.key_down(key); }));
    sent_keys_ = true;
    pressed_.keys.push_back(key);
    return {};
  }
  Status release(Key key) {
    // Letting go needs nobody's leave.
    if (stop_.stop_requested()) return make_error(Code::cancelled, "The plan was cancelled.");
    TRY(hub_.use(deadline_, [&](Desktop& desktop) -> Status {
      desktop.key_up(key);
      return {};
    }));
    hub_.event_sent();
    std::erase(pressed_.keys, key);
    return {};
  }
  Status ticks(const Wheel& wheel) {
    const Wheel across{wheel.right > 0 ? 1 : -1, 0}, along{0, wheel.down > 0 ? 1 : -1};
    for (int i = 0; i < std::abs(wheel.down); ++i) {
      TRY(one(event(Kind::wheel), [&](Desktop& d) { d.wheel(along); }));
    }
    for (int i = 0; i < std::abs(wheel.right); ++i) {
      TRY(one(event(Kind::wheel), [&](Desktop& d) { d.wheel(across); }));
    }
    return {};
  }
  Status type(const TypeText& text) {
    for (const Key key : TRY(keys_for(text.text))) {
      TRY(press(key, Kind::character));
      TRY(release(key));
    }
    return {};
  }
  Status wait(Millis span) {
    if (stop_.stop_requested()) return make_error(Code::cancelled, "The plan was cancelled.");
    return hub_.use(deadline_, [&](Desktop& desktop) -> Status {
      const Millis left = deadline_.left();
      desktop.advance(std::min(span, left));
      if (span > left) return Hub::late_error();
      return {};
    });
  }

  Hub& hub_;
  const Permit& permit_;
  Deadline deadline_;
  std::stop_token stop_;
  Held pressed_;
  bool dragging_ = false;
  bool sent_any_ = false;
  bool sent_keys_ = false;
};

void take_away(Held& from, const Held& what) {
  for (const Button button : what.buttons) std::erase(from.buttons, button);
  for (const Key key : what.keys) std::erase(from.keys, key);
}

}  // namespace

Result<InputReport> SimInput::perform(const InputPlan& plan, Permit permit, Deadline deadline, std::stop_token stop) {
  const std::lock_guard one_at_a_time(one_plan_);
  TRY(hub_.use(deadline, [](Desktop&) -> Status { return {}; }));
  TRY(check(hub_, plan, deadline));
  Sender sender(hub_, permit, deadline, std::move(stop));
  InputReport report;
  for (const Step& step : plan.steps) {
    Status sent = sender.send(step);
    const Held down = sender.pressed();
    if (!sent.ok()) {
      // Past the deadline too: what must not stay down outranks it, and the simulation never blocks.
      const Status freed = let_go(down, Deadline::in(kBackendPatience));
      if (!freed.ok()) sent.error().message += " " + freed.error().message;
      return std::move(sent.error()).with_side_effects(sender.sent_any() ? SideEffects::partial : SideEffects::none);
    }
    const std::lock_guard lock(held_mutex_);
    if (const auto* up = std::get_if<ButtonUp>(&step)) std::erase(held_.buttons, up->button);
    if (const auto* up = std::get_if<KeyUp>(&step)) std::erase(held_.keys, up->key);
    take_away(held_, down);
    held_.buttons.insert(held_.buttons.end(), down.buttons.begin(), down.buttons.end());
    held_.keys.insert(held_.keys.end(), down.keys.begin(), down.keys.end());
    ++report.steps_done;
  }
  report.text_acknowledged = sender.acknowledged();
  report.delivered = sender.sent_any();
  return report;
}

Status SimInput::let_go(const Held& held, Deadline deadline) {
  TRY(hub_.use(deadline, [&](Desktop& desktop) -> Status {
    std::for_each(held.buttons.rbegin(), held.buttons.rend(), [&](Button button) { desktop.release(button); });
    std::for_each(held.keys.rbegin(), held.keys.rend(), [&](Key key) { desktop.key_up(key); });
    return {};
  }));
  const std::lock_guard lock(held_mutex_);
  take_away(held_, held);
  return {};
}

Status SimInput::release_all(Deadline deadline) {
  Held held;
  {
    const std::lock_guard lock(held_mutex_);
    held = held_;
  }
  return let_go(held, deadline);
}

std::vector<Button> SimInput::held_buttons() {
  const std::lock_guard lock(held_mutex_);
  std::vector<Button> buttons = held_.buttons;
  std::sort(buttons.begin(), buttons.end());
  return buttons;
}

std::vector<Key> SimInput::held_keys() {
  const std::lock_guard lock(held_mutex_);
  return held_.keys;
}

void SimInput::forget_held() {
  const std::lock_guard lock(held_mutex_);
  held_ = {};
}

}  // namespace handrail::sim

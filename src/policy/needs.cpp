#include "policy/needs.h"

#include <algorithm>
#include <array>

namespace handrail::policy {
namespace {

using catalog::Tier;
using Where = Need::Where;

constexpr std::size_t index_of(Button button) { return static_cast<std::size_t>(button); }

// Follows the pointer, the buttons and the keys through a plan.
class InputNeeds {
 public:
  explicit InputNeeds(bool held_before) : held_before_(held_before) {}

  std::vector<Need> of(const InputPlan& plan) {
    for (const Step& step : plan.steps) std::visit([this](const auto& part) { take(part); }, step);
    for (const Press& press : presses_) {
      // Left down when the plan ends: nothing says that it will be a click.
      if (press.down) raise(press.place, "the point");
    }
    return std::move(needs_);
  }

 private:
  struct Press {
    bool down = false;
    bool moved = false;
    std::size_t place = 0;  // of its need
  };

  bool dragging() const {
    return held_before_ || std::any_of(presses_.begin(), presses_.end(), [](const Press& press) { return press.down; });
  }

  std::size_t add(Need need) {
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      Need& old = needs_[i];
      if (old.where != need.where || !(old.at == need.at)) continue;
      if (need.tier > old.tier) {
        old.tier = need.tier;
        old.role = need.role;
      }
      return i;
    }
    needs_.push_back(std::move(need));
    return needs_.size() - 1;
  }

  void raise(std::size_t place, const char* role) {
    needs_[place].tier = Tier::full;
    needs_[place].role = role;
  }

  std::size_t here(Tier tier, const char* role) {
    Need need;
    need.where = at_ ? Where::point : Where::pointer;
    if (at_) need.at = *at_;
    need.tier = keys_ > 0 ? Tier::full : tier;
    need.role = at_ ? role : "the pointer's place";
    return add(std::move(need));
  }

  void keyboard() {
    Need need;
    need.where = Where::focus;
    need.tier = Tier::full;
    need.role = kKeyboardFocus;
    add(std::move(need));
  }

  void take(const MoveTo& move) {
    at_ = move.at;
    for (Press& press : presses_) {
      if (!press.down || press.moved) continue;
      press.moved = true;
      raise(press.place, "the start of the drag");
    }
    // A drag's own points are judged where it ends.
    if (held_before_) {
      here(Tier::full, "the way of the drag");
    } else if (!dragging()) {
      here(Tier::click, "the point");
    }
  }

  void take(const ButtonDown& down) {
    const std::size_t place = here(down.button == Button::left ? Tier::click : Tier::full, "the point");
    presses_[index_of(down.button)] = {true, false, place};
  }

  void take(const ButtonUp& up) {
    Press& press = presses_[index_of(up.button)];
    if (!press.down) {
      here(Tier::full, "the end of the drag");
      held_before_ = false;
    } else if (press.moved) {
      here(Tier::full, "the end of the drag");
    }
    press = {};
  }

  void take(const Wheel&) { here(Tier::click, "the point"); }
  void take(const KeyDown&) {
    ++keys_;
    keyboard();
  }
  void take(const KeyUp&) {
    keys_ = std::max(0, keys_ - 1);
    keyboard();
  }
  void take(const TypeText&) { keyboard(); }
  void take(const Pause&) {}

  bool held_before_;
  std::optional<Point> at_;
  std::array<Press, 5> presses_{};
  int keys_ = 0;
  std::vector<Need> needs_;
};

std::vector<Need> needs_of(const ChangeApp& change) {
  Need need;
  need.tier = change.verb == AppVerb::quit ? Tier::full : Tier::click;
  need.role = "the app";
  need.pid = change.pid;
  need.where = Where::process;
  std::vector<Need> needs{need};
  need.where = Where::window;
  need.pid = 0;
  need.role = "the window";
  for (const WindowId window : change.windows) {
    need.window = window;
    needs.push_back(need);
  }
  return needs;
}

// A service that is no app's is looked at all the same: one that is denied, or that may have less, is not asked.
std::vector<Need> needs_of(const CallService& call) {
  if (call.pid == 0 && !call.offered) return {};
  Need need;
  need.where = Where::process;
  need.pid = call.pid;
  need.tier = call.offered ? Tier::full : Tier::none;
  need.role = call.offered ? "the app" : "the service";
  return {need};
}

}  // namespace

std::vector<Need> needs_of(const Plan& plan, ButtonBefore button) {
  if (const auto* input = std::get_if<InputPlan>(&plan)) return InputNeeds(button == ButtonBefore::down).of(*input);
  // No app receives these: flags and granted folders say what may be done.
  if (std::holds_alternative<ChangeFile>(plan) || std::holds_alternative<RunProgram>(plan)) return {};
  if (const auto* app = std::get_if<ChangeApp>(&plan)) return needs_of(*app);
  if (const auto* call = std::get_if<CallService>(&plan)) return needs_of(*call);
  if (std::holds_alternative<SwitchWorkspace>(plan) || std::holds_alternative<ChangeSystem>(plan)) return {};
  Need need;
  if (const auto* open = std::get_if<OpenApp>(&plan)) {
    need.where = Where::app;
    need.app = open->app;
    need.tier = open->file.empty() ? Tier::read : Tier::full;
    need.role = "the app";
  } else if (std::holds_alternative<WriteClipboard>(plan)) {
    need.where = Where::clipboard;
    need.tier = Tier::none;
    need.role = "the clipboard";
  } else if (const auto* change = std::get_if<ChangeWindow>(&plan)) {
    need.where = Where::window;
    need.window = change->window;
    need.tier = change->verb == WindowVerb::close ? Tier::full : Tier::click;
    need.role = "the window";
  } else if (const auto* act = std::get_if<ActOnElement>(&plan)) {
    // Its default action is what a left click would do.
    const bool clicks = act->verb == ElementVerb::press && act->text.empty();
    need.where = Where::process;
    need.pid = act->element.pid;
    need.tier = clicks || act->verb == ElementVerb::show ? Tier::click : Tier::full;
    need.role = "the element";
  } else if (const auto* end = std::get_if<EndProcess>(&plan)) {
    need.where = Where::process;
    need.pid = end->pid;
    need.tier = Tier::full;
    need.role = "the process";
  }
  return {need};
}

Tier tier_needed(const InputEvent& event) {
  switch (event.kind) {
    case EventKind::move: return event.dragging ? Tier::full : Tier::click;
    case EventKind::press: return event.button == Button::left ? Tier::click : Tier::full;
    case EventKind::release: return event.dragging || event.button != Button::left ? Tier::full : Tier::click;
    case EventKind::wheel: return Tier::click;
    case EventKind::key:
    case EventKind::character: return Tier::full;
    case EventKind::received:
      // A key that arrived brings its chord along.
      return event.button == Button::left && event.chord.key.keycode == 0 ? Tier::click : Tier::full;
  }
  return Tier::full;
}

}  // namespace handrail::policy

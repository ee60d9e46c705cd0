// How pointer and keys reach windows: by the pointer's place, by a grab while a button is down, by focus.
#include <algorithm>
#include <cmath>

#include "platform/sim/desktop.h"

namespace handrail::sim {
namespace {

constexpr Millis kMultiClickTime{400};
constexpr double kMultiClickPoints = 5;
constexpr Millis kEventTime{1};

}  // namespace

Point Desktop::pointer() const { return to_point(displays_[static_cast<std::size_t>(pointer_display_)], pointer_); }

Event Desktop::event(EventKind kind) const {
  Event made;
  made.kind = kind;
  made.at = pointer();
  made.when = now_;
  for (const Modifier modifier : {Modifier::ctrl, Modifier::shift, Modifier::alt, Modifier::super}) {
    const bool held =
        std::any_of(keys_down_.begin(), keys_down_.end(), [modifier](Key key) { return modifier_of(key) == modifier; });
    if (held) made.modifiers.push_back(modifier);
  }
  return made;
}

void Desktop::deliver(WindowId id, const Event& event) {
  SimWindow* window = find(id);
  if (window == nullptr) return;
  const auto take = [id, event](Desktop& desktop) {
    SimWindow* now = desktop.find(id);
    if (now == nullptr) return;
    now->take(event, desktop.clipboards());
    if (event.kind != EventKind::motion) desktop.touch();
  };
  if (window->delay == Millis(0)) return take(*this);
  later(window->delay, take);
}

SimWindow* Desktop::pointer_target() const {
  if (grab_) return find(*grab_);
  if (!buttons_down_.empty()) return nullptr;
  SimWindow* window = top_at(pointer());
  return window != nullptr && window->content().contains(pointer()) ? window : nullptr;
}

void Desktop::move_pointer(Point to) {
  advance(kEventTime);
  const Display* display = display_at(displays_, to);
  if (display == nullptr) return;
  const PixelPoint pixel = to_pixel(*display, to);
  if (pixel == pointer_ && display->id == pointer_display_) return;
  pointer_ = pixel;
  pointer_display_ = display->id;
  if (const SimWindow* window = pointer_target()) deliver(window->id, event(EventKind::motion));
}

int Desktop::count_press(WindowId window, Button button) {
  const LastPress before = last_press_;
  const Point at = pointer();
  const bool again = before.count > 0 && before.window == window && before.button == button &&
                     now_ - before.when <= kMultiClickTime && std::abs(before.at.x - at.x) <= kMultiClickPoints &&
                     std::abs(before.at.y - at.y) <= kMultiClickPoints;
  last_press_ = {window, button, at, now_, again ? before.count % 3 + 1 : 1};
  return last_press_.count;
}

void Desktop::press(Button button) {
  advance(kEventTime);
  SimWindow* target = pointer_target();
  if (buttons_down_.empty()) {
    // The window manager sees the first press, also one on a frame: click to focus.
    if (const SimWindow* window = top_at(pointer())) {
      raise(window->id);
      set_focus(window->id);
    }
    if (target != nullptr) grab_ = target->id;
  }
  if (!buttons_down_.insert(button).second || target == nullptr) return;
  Event made = event(EventKind::press);
  made.button = button;
  made.count = count_press(target->id, button);
  deliver(target->id, made);
}

void Desktop::release(Button button) {
  advance(kEventTime);
  if (buttons_down_.erase(button) == 0) return;
  if (grab_) {
    Event made = event(EventKind::release);
    made.button = button;
    made.count = last_press_.button == button ? last_press_.count : 1;
    deliver(*grab_, made);
  }
  if (buttons_down_.empty()) grab_.reset();
}

void Desktop::wheel(const Wheel& tick) {
  advance(kEventTime);
  const SimWindow* target = pointer_target();
  if (target == nullptr) return;
  Event made = event(EventKind::wheel);
  made.wheel = tick;
  deliver(target->id, made);
}

void Desktop::key_down(Key key) {
  advance(kEventTime);
  if (std::find(keys_down_.begin(), keys_down_.end(), key) != keys_down_.end()) return;
  // As on a real keyboard, an event carries the modifiers held before it.
  Event made = event(EventKind::key_down);
  keys_down_.push_back(key);
  made.key = key;
  if (focused_) deliver(*focused_, made);
}

void Desktop::key_up(Key key) {
  advance(kEventTime);
  Event made = event(EventKind::key_up);
  if (std::erase(keys_down_, key) == 0) return;
  made.key = key;
  if (focused_) deliver(*focused_, made);
}

}  // namespace handrail::sim

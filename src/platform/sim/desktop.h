// The state of a simulated desktop and the rules that change it: displays, stacking, focus, pointer
// and keys, clipboards, a virtual clock. Deterministic: the same calls give the same desktop. It knows
// nothing of ports, threads or deadlines; whoever shares it locks around it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/desktop.h"
#include "platform/sim/event.h"
#include "platform/sim/sim_window.h"

namespace handrail::sim {

struct DisplaySpec {
  std::string name = "SIM-0";
  Rect bounds{0, 0, 1280, 800};  // logical points
  double scale = 1;
};

struct AppSpec {
  App app{};
  WindowSpec window{};       // what opening it shows
  Millis start_time{0};      // on the virtual clock, until the window is there
  bool shows_window = true;  // false: starts, and no window comes
};

class Desktop {
 public:
  // The first display is the primary one. No displays given: one of the default size.
  explicit Desktop(const std::vector<DisplaySpec>& displays);

  const std::vector<Display>& displays() const { return displays_; }
  void set_displays(const std::vector<DisplaySpec>& displays);

  // Windows, lowest first. A new one is on top and has the focus.
  WindowId add(WindowSpec spec);
  const std::vector<std::unique_ptr<SimWindow>>& windows() const { return windows_; }
  SimWindow* find(WindowId id) const;
  SimWindow* top_at(Point at) const;
  bool shown(const SimWindow& window) const;
  Window describe(const SimWindow& window) const;
  std::optional<WindowId> focused() const { return focused_; }
  int workspace() const { return workspace_; }

  // Each wants a window that exists. Focus also raises, restores and goes to the window's workspace.
  void focus(WindowId id);
  void move(WindowId id, Point to);
  void resize(WindowId id, double width, double height);
  void minimise(WindowId id);
  void maximise(WindowId id);
  // From minimised, else from maximised.
  void restore(WindowId id);
  void raise(WindowId id);
  void send(WindowId id, int workspace);
  void remove(WindowId id);
  void go_to_workspace(int workspace);

  // Input as a seat sends it: one call, one event, one millisecond.
  void move_pointer(Point to);
  void press(Button button);
  void release(Button button);
  void wheel(const Wheel& tick);
  void key_down(Key key);
  void key_up(Key key);
  Point pointer() const;
  const std::set<Button>& buttons_down() const { return buttons_down_; }
  const std::vector<Key>& keys_down() const { return keys_down_; }

  Millis now() const { return now_; }
  // When a person last used a device of theirs.
  std::optional<Millis> person_seen() const { return person_seen_; }
  void see_person() { person_seen_ = now_; }
  // Moves the virtual clock on; what falls due on the way happens at its time.
  void advance(Millis span);
  void later(Millis delay, std::function<void(Desktop&)> act);
  // How long until something falls due.
  std::optional<Millis> next_due() const;

  // Counts up with every visible change.
  std::uint64_t changes() const { return changes_; }
  void touch() { ++changes_; }

  Clipboards& clipboards() { return clipboards_; }
  std::vector<AppSpec>& apps() { return apps_; }
  std::int64_t next_pid() { return ++last_pid_; }

  // As after the display server came up anew: no windows, nothing held, empty clipboards.
  void reset();

 private:
  struct Timer {
    Millis due;
    std::function<void(Desktop&)> act;
  };
  struct LastPress {
    WindowId window = 0;
    Button button = Button::left;
    Point at;
    Millis when{0};
    int count = 0;
  };

  void set_focus(std::optional<WindowId> id);
  void focus_topmost();
  int count_press(WindowId window, Button button);
  Event event(EventKind kind) const;
  void deliver(WindowId id, const Event& event);
  SimWindow* pointer_target() const;

  std::vector<Display> displays_;
  std::vector<std::unique_ptr<SimWindow>> windows_;
  std::optional<WindowId> focused_;
  int workspace_ = 0;
  PixelPoint pointer_;
  int pointer_display_ = 0;
  std::set<Button> buttons_down_;
  std::vector<Key> keys_down_;
  std::optional<WindowId> grab_;  // gets the pointer's events until all buttons are up
  LastPress last_press_;
  std::vector<Timer> timers_;  // by due time, then by order of arrival
  Millis now_{0};
  std::optional<Millis> person_seen_;
  std::uint64_t changes_ = 1;
  WindowId last_window_ = 0;
  std::int64_t last_pid_ = 1000;
  Clipboards clipboards_;
  std::vector<AppSpec> apps_;
};

}  // namespace handrail::sim

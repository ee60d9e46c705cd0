// A small deterministic desktop that answers every port, for tests of everything above the ports.
// Tests arrange it, inject faults, and ask it what its windows received: that log is the oracle, and
// it is kept apart from what the ports answer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "computer/computer.h"
#include "platform/sim/hub.h"
#include "platform/sim/ports.h"

namespace handrail::sim {

struct SimSpec {
  std::vector<DisplaySpec> displays{DisplaySpec{}};
  std::vector<AppSpec> apps{};
  Waiting waiting = Waiting::real;
};

// Thread-safe. What names a window that is not there does nothing, or answers with nothing.
class SimComputer : public Computer {
 public:
  explicit SimComputer(SimSpec spec = {});
  ~SimComputer() override;

  // Null for what the desktop lacks.
  Screen* screen() override;
  Input* input() override;
  Windows* windows() override;
  Apps* apps() override;
  Clipboard* clipboard() override;
  Targets* targets() override { return &targets_; }
  Secrets* secrets() override { return &secrets_; }
  Isolation* isolation() override { return &isolation_; }
  ClipboardGuard* clipboard_guard() override { return &clipboard_guard_; }
  Accessibility* accessibility() override { return nullptr; }
  Capabilities capabilities() override;

  // Arranging.
  WindowId add_window(WindowSpec spec);
  void add_app(AppSpec spec);
  void set_displays(const std::vector<DisplaySpec>& displays);
  void go_to_workspace(int workspace);
  // Lets the virtual clock run; slow apps catch up.
  void advance(Millis span);
  // Anything else, under the lock. The references must not outlive the call.
  void with_desktop(const std::function<void(Desktop&)>& act);

  // A person moves the mouse: now, on the virtual clock.
  void person_moves();

  // The oracle.
  std::vector<Event> log(WindowId window);
  std::string text(WindowId window, std::size_t field = 0);
  int clicks(WindowId window, std::size_t button = 0);
  Point scrolled(WindowId window, std::size_t area = 0);
  std::optional<WindowId> focused();
  Point pointer();
  std::vector<Button> buttons_down();
  std::vector<Key> keys_down();
  Millis now();

  // Faults.
  void lose_server();     // every port answers `backend_lost` from now on
  void restore_server();  // back with everything as it was
  void restart_server();  // back as a new server: no windows, nothing held, empty clipboards
  void lack(Capability capability, std::string missing, std::string fix);
  void vanish(WindowId window);  // its app died
  void slow_down(WindowId window, Millis delay);
  void make_stubborn(WindowId window);  // the window manager no longer changes it
  // `act` runs right after the `nth` input event from now (1 is the next one), between two events of
  // a plan: the place to cancel, to kill a window, to take the server away. It may call anything here.
  void after_event(std::size_t nth, std::function<void()> act);

 private:
  Hub hub_;
  SimScreen screen_{hub_};
  SimInput input_{hub_};
  SimWindows windows_{hub_};
  SimApps apps_{hub_};
  SimClipboard clipboard_{hub_};
  SimTargets targets_{hub_};
  SimSecrets secrets_{hub_};
  SimIsolation isolation_{hub_};
  SimClipboardGuard clipboard_guard_{hub_};
};

}  // namespace handrail::sim

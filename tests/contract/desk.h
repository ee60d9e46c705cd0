// A desktop that the contract suite runs on: the computer under test, apps to act on, and what those
// apps, the window manager and the display server say for themselves. Nothing here asks the computer
// under test about its own deeds.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "computer/computer.h"

namespace handrail::contract {

enum class Layout {
  one,  // 1280 x 800
  two,  // the same and, to the right of it, 1024 x 600
};

struct Colour {
  int red = 0;
  int green = 0;
  int blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

// Something an app says it received.
struct Received {
  enum class Kind { motion, press, release, wheel, key_down, key_up };
  Kind kind = Kind::motion;
  Point at;                         // desktop points
  Button button = Button::left;     // press and release
  Wheel wheel;                      // one tick
  Key key;                          // lower case; editors only
  std::vector<Modifier> modifiers;  // held before it happened, in the order of the enum
};

// A window as the window manager and the display server have it.
struct ShownWindow {
  WindowId id = 0;
  std::string title;
  Rect frame;
  Rect content;
  bool viewable = false;
};

struct DeskState {
  std::vector<ShownWindow> windows;  // lowest first
  std::optional<WindowId> active;
  std::vector<Button> buttons_down;
  bool keys_down = false;
  Point pointer;

  const ShownWindow* find(WindowId id) const {
    for (const ShownWindow& window : windows) {
      if (window.id == id) return &window;
    }
    return nullptr;
  }
};

struct OpenApp {
  WindowId window = 0;
  std::int64_t pid = 0;
  Rect content;
};

class Desk {
 public:
  virtual ~Desk() = default;

  virtual Computer& computer() = 0;

  // A plain window in one colour that notes all input. Ready when it returns, on top and active.
  virtual OpenApp open_probe(const std::string& title, const Rect& frame, Colour colour) = 0;
  // A window that is one text field.
  virtual OpenApp open_editor(const std::string& title, const Rect& frame) = 0;
  // The app dies; its window is gone when this returns.
  virtual void kill(WindowId window) = 0;

  virtual std::vector<Received> received(WindowId window) = 0;
  virtual std::string text(WindowId window) = 0;
  virtual DeskState state() = 0;

  // What another app puts on, and gets from, a clipboard.
  virtual void app_copies(Selection selection, const std::string& mime, const std::string& bytes) = 0;
  virtual std::string app_pastes(Selection selection, const std::string& mime) = 0;

  virtual void lose_server() = 0;
  virtual void restore_server() = 0;  // empty, as after a new start

  // Returns after an app noted something new; false when none does until the deadline.
  virtual bool wait_for_news(Deadline deadline) = 0;
  // Calls `act` once, as soon as the app has noted something of that kind, also while a plan runs.
  virtual void when_received(WindowId window, Received::Kind kind, std::function<void()> act) = 0;
  // Calls `act` from another thread while `wait` runs.
  virtual void meanwhile(std::function<void()> act, const std::function<void()>& wait) = 0;
};

// Made by the program of each platform.
std::unique_ptr<Desk> make_desk(Layout layout);

}  // namespace handrail::contract

// One simulated window and the widgets in it: text fields, buttons, scroll areas. A window takes
// events in and changes its own content; where events go and who is on top is the desktop's business.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/desktop.h"
#include "model/input_plan.h"
#include "platform/sim/event.h"

namespace handrail::sim {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

// Places of widgets are relative to the window's content.
struct TextField {
  Rect place{};
  std::string text{};     // the caret is always at its end
  bool selected = false;  // all of it
  bool secret = false;    // a password field
};

struct PushButton {
  Rect place{};
  std::string label{};
  int clicks = 0;
};

struct ScrollArea {
  Rect place{};
  Size extent{2000, 2000};  // of what is scrolled
  Point offset{};
};

struct WindowSpec {
  std::string title = "Window";
  std::string app = "sim";
  Rect bounds{100, 100, 400, 300};  // with frame
  Colour colour{60, 120, 180};
  int workspace = 0;     // -1: on all of them
  std::int64_t pid = 0;  // 0: a new process
  std::vector<TextField> fields{};
  std::vector<PushButton> buttons{};
  std::vector<ScrollArea> scrolls{};
};

// The clipboards, as an app sees them.
class Clipboards {
 public:
  const std::vector<ClipItem>& items(Selection selection) const { return of(selection); }
  void set(Selection selection, std::vector<ClipItem> items);
  void set_text(Selection selection, std::string text);
  // Empty when there is no plain text.
  std::string text(Selection selection) const;
  void clear();

 private:
  const std::vector<ClipItem>& of(Selection selection) const;

  std::vector<ClipItem> clipboard_;
  std::vector<ClipItem> primary_;
};

struct SimWindow {
  WindowId id = 0;
  WindowSpec spec;  // bounds and widgets as they are now
  WindowState state = WindowState::normal;
  Rect normal_bounds{};  // while it is maximised
  std::vector<Event> log;
  Millis delay{0};    // a slow app takes everything in that much later
  bool obeys = true;  // false: changes asked of the window manager never happen

  Rect content() const;
  Rect desktop_place(const Rect& widget) const;
  // The app takes one event in.
  void take(const Event& event, Clipboards& clipboards);
  // The one with the caret, if any.
  const TextField* focused_field() const {
    return focused_field_ < 0 ? nullptr : &spec.fields[static_cast<std::size_t>(focused_field_)];
  }

 private:
  void take_press(const Event& event, Clipboards& clipboards);
  void take_release(const Event& event);
  void take_wheel(const Event& event);
  void take_key(const Event& event, Clipboards& clipboards);

  int focused_field_ = -1;
  int armed_button_ = -1;  // pressed and not yet released
};

// What the window manager draws around the content.
struct FrameExtents {
  double left, right, top, bottom;
};
inline constexpr FrameExtents kFrame{1, 1, 20, 5};

}  // namespace handrail::sim

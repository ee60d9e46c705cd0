// What an action does to the desktop, as plain data: computed by pure planners, judged by gates,
// logged, compared in tests, executed by backends.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "model/desktop.h"
#include "model/element.h"
#include "model/file.h"
#include "model/geometry.h"
#include "model/key.h"
#include "model/program.h"

namespace handrail {

enum class Button { left, middle, right, x1, x2 };

struct MoveTo {  // the pointer, confirmed before the next step
  Point at;
  friend bool operator==(const MoveTo&, const MoveTo&) = default;
};
struct ButtonDown {
  Button button = Button::left;
  friend bool operator==(const ButtonDown&, const ButtonDown&) = default;
};
struct ButtonUp {
  Button button = Button::left;
  friend bool operator==(const ButtonUp&, const ButtonUp&) = default;
};
struct Wheel {  // one tick each; positive is right and down
  int right = 0;
  int down = 0;
  friend bool operator==(const Wheel&, const Wheel&) = default;
};
struct KeyDown {
  Key key;
  friend bool operator==(const KeyDown&, const KeyDown&) = default;
};
struct KeyUp {
  Key key;
  friend bool operator==(const KeyUp&, const KeyUp&) = default;
};
struct TypeText {  // valid UTF-8; arrives in order and whole, whatever the layout
  std::string text;
  friend bool operator==(const TypeText&, const TypeText&) = default;
};
struct Pause {  // ends early when cancelled
  Millis span{0};
  friend bool operator==(const Pause&, const Pause&) = default;
};

using Step = std::variant<MoveTo, ButtonDown, ButtonUp, Wheel, KeyDown, KeyUp, TypeText, Pause>;

// A hand of the agent's own: a second pointer and keyboard that act on one window while the person goes on elsewhere.
struct Seat {
  WindowId window = 0;
  bool focus = true;  // the app is told that the window has the focus; some bring themselves to the front otherwise
  friend bool operator==(const Seat&, const Seat&) = default;
};

struct InputPlan {
  std::vector<Step> steps;
  std::optional<Seat> seat{};  // nothing: the person's pointer and keyboard
  friend bool operator==(const InputPlan&, const InputPlan&) = default;
};

struct OpenApp {
  std::string app;     // desktop id or name
  std::string file{};  // to open with it: an absolute path
  bool raise = true;   // its window comes to the front; else the person keeps what they have there
  friend bool operator==(const OpenApp&, const OpenApp&) = default;
};

// One format of a clipboard's content.
struct ClipItem {
  std::string mime;  // "text/plain;charset=utf-8", "text/html", "image/png", …
  std::string bytes;
  friend bool operator==(const ClipItem&, const ClipItem&) = default;
};

enum class Selection { clipboard, primary };

struct WriteClipboard {
  Selection selection = Selection::clipboard;
  std::vector<ClipItem> items;
  friend bool operator==(const WriteClipboard&, const WriteClipboard&) = default;
};

enum class WindowVerb {
  focus,
  move,
  resize,
  minimise,
  close,
  place,  // move and resize in one
  maximise,
  restore,  // from minimised, else from maximised or full screen
  raise,    // above the others, without the focus
  send,     // to `workspace`
};

struct ChangeWindow {
  WindowId window = 0;
  WindowVerb verb = WindowVerb::focus;
  Rect frame{};       // move uses x and y, resize uses width and height, place uses all
  int workspace = 0;  // of send; -1: all of them
  friend bool operator==(const ChangeWindow&, const ChangeWindow&) = default;
};

// What the person sees changes: another workspace.
struct SwitchWorkspace {
  int workspace = 0;
  friend bool operator==(const SwitchWorkspace&, const SwitchWorkspace&) = default;
};

enum class AppVerb { hide, unhide, quit };

// All windows of one process that runs.
struct ChangeApp {
  std::string app;  // as it is called
  std::int64_t pid = 0;
  AppVerb verb = AppVerb::hide;
  std::vector<WindowId> windows{};  // lowest first
  bool force = false;               // quit: ends the process when it does not go by itself
  friend bool operator==(const ChangeApp&, const ChangeApp&) = default;
};

enum class SystemVerb { notify, set_brightness, lock_screen, enable_accessibility };

// What belongs to the session and to no app.
struct ChangeSystem {
  SystemVerb verb = SystemVerb::notify;
  std::string title{};  // of a notification
  std::string text{};
  int percent = 0;  // of the brightness
  friend bool operator==(const ChangeSystem&, const ChangeSystem&) = default;
};

// A method call on the session's message bus.
struct CallService {
  std::string destination;
  std::string path;
  std::string interface;
  std::string method;
  std::string signature{};       // D-Bus types of the arguments
  std::string arguments = "[]";  // a JSON list
  std::int64_t pid = 0;          // who owns the destination; 0: nobody yet, or nobody knows
  // One of the actions that an app offers for this: judged by the app's grant alone.
  bool offered = false;
  friend bool operator==(const CallService&, const CallService&) = default;
};

enum class ElementVerb {
  press,      // what a click on it would do: its default action, or the one that `text` names
  set_value,  // `text` is the new text, number or label of the option
  insert,     // `text` at the caret of the field
  show,       // scroll it into view
  focus,      // give it the keyboard; the only verb that may disturb the person
  menu,       // choose along `path` from the element's menu bar
};

struct ActOnElement {
  ElementKey element;
  ElementVerb verb = ElementVerb::press;
  std::string text;
  std::vector<std::string> path;
  std::optional<Point> at{};  // that the agent named, when it named no element
  friend bool operator==(const ActOnElement&, const ActOnElement&) = default;
};

// Everything an action can ask of a computer; a new kind of deed is a new alternative here.
using Plan = std::variant<InputPlan, OpenApp, WriteClipboard, ChangeWindow, ActOnElement, ChangeFile, RunProgram,
                          EndProcess, SwitchWorkspace, ChangeApp, ChangeSystem, CallService>;

// One line without secrets, for logs and dry runs: typed text is told by its length only.
std::string summary(const Plan& plan);

}  // namespace handrail

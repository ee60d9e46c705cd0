// A question on the desktop that only a person can answer: drawn by this process itself, with buttons that hear nothing
// but input devices, and not before a person can have read it. It knows no policy; it shows lines and returns a button.
//
// What it can tell apart: events of XTEST devices (and so of every agent that uses XTEST), events sent by other
// clients, clicks that were already on their way when it appeared, and windows laid over it. What it cannot: a program
// with the right to make kernel devices (uinput), or one that drives a person's device through the XInput half of
// XTEST, looks like a person to every client of the server. Somebody who comes through a viewer that uses XTEST is not
// heard either.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::x11 {

struct DialogPart {
  enum class Kind { heading, item, detail, warning, quote, note };
  Kind kind = Kind::note;
  std::string text;  // one line; wrapped to the width
};

struct DialogSpec {
  std::string title;  // of the window
  std::vector<DialogPart> parts;
  // The first is the safe one: it has the focus at first, and Escape, Return and closing the window mean it.
  std::vector<std::string> buttons;
  // Input older than this, counted from when the window was last shown, moved or uncovered, is not heard.
  Millis inert{700};
};

// Blocks until a button was pressed; gives its place. `timeout` at the deadline, `cancelled` when `ending_fd` becomes
// readable, `backend_lost` when the server goes away, `too_large` when it does not fit the screen.
Result<std::size_t> show_dialog(const std::string& display, const DialogSpec& spec, Deadline deadline,
                                int ending_fd = -1);

}  // namespace handrail::x11

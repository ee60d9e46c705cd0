// The way back of windows that were put out of the way: what was recorded before hiding, and the restoring. Works on
// any plain connection, so that the guardian can do it when the process that hid them is dead. It decides nothing.
#pragma once

#include <xcb/xcb.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::x11 {

struct HiddenWindow {
  xcb_window_t window = XCB_NONE;
  bool hidden = false;  // by us; others are here for their place in the stack
  friend bool operator==(const HiddenWindow&, const HiddenWindow&) = default;
};

// Every window that showed before the first was hidden, lowest first. Windows that were minimised or on another
// workspace are not in it and stay as they are.
struct HiddenWindows {
  xcb_window_t active = XCB_NONE;  // had the focus; none when nobody had
  std::vector<HiddenWindow> windows;
  friend bool operator==(const HiddenWindows&, const HiddenWindows&) = default;
};

std::string encode(const HiddenWindows& hidden);
// Nothing when the bytes are no such record.
std::optional<HiddenWindows> decode_hidden_windows(std::string_view record);

// Puts the windows of a record back: mapped, stacked as before, with the focus where it was. Windows that are gone are
// left out. Safe to run twice, also after a run that was cut short. Deletes the record of the root window at the end.
// An empty record is success. Blocks for at most the given patience beyond what the server takes to answer.
Status restore_windows(xcb_connection_t* xcb, xcb_window_t root, std::string_view record,
                       Millis patience = Millis(1900));

// The record as kept on the root window, where it survives every process but the server; empty when there is none.
std::string recorded_windows(xcb_connection_t* xcb, xcb_window_t root);
// Returns once the server has it; false when it did not take it.
bool record_windows(xcb_connection_t* xcb, xcb_window_t root, std::string_view record);

}  // namespace handrail::x11

// Reads what any app offers under a selection: one target at a time, in pieces when it is large, within a deadline and
// a size. It changes nothing and knows no MIME types.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "platform/x11/connection.h"

namespace handrail::x11 {

// Neither read nor served beyond this.
inline constexpr std::size_t kMaxClipboardBytes = 64 * 1024 * 1024;

struct SelectionContent {
  xcb_atom_t type = XCB_ATOM_NONE;
  std::uint8_t format = 8;  // bits of a unit; the bytes are as the X server keeps them
  std::string bytes;
};

class SelectionReader {
 public:
  // Before the connection's first call.
  explicit SelectionReader(std::shared_ptr<Connection> connection);

  // Asks the owner; nothing when it declines or there is none. More than `max_bytes` is `too_large`; an owner that is
  // silent for a second, at first or between two pieces, is `timeout`.
  Result<std::optional<SelectionContent>> convert(xcb_atom_t selection, xcb_atom_t target, std::size_t max_bytes,
                                                  Deadline deadline);
  // What the owner says it offers, TARGETS and the like included; nothing without an owner or an answer to that.
  Result<std::vector<xcb_atom_t>> targets(xcb_atom_t selection, Deadline deadline);
  // In the same order; empty for numbers that are no atoms.
  Result<std::vector<std::string>> names_of(const std::vector<xcb_atom_t>& atoms, Deadline deadline);
  Result<xcb_atom_t> intern(const std::string& name, Deadline deadline);
  // The X server's time now, told through a window of ours that reports property changes.
  Result<xcb_timestamp_t> server_time(xcb_window_t window, Deadline deadline);

 private:
  struct Board;  // what the listener shares with us

  Result<std::optional<SelectionContent>> receive(xcb_window_t window, EventWatch& watch, std::size_t max_bytes,
                                                  Deadline deadline);
  Result<SelectionContent> receive_pieces(xcb_window_t window, EventWatch& watch, std::size_t max_bytes,
                                          Deadline deadline);
  // What the property of the window holds now, taken away.
  Result<SelectionContent> take_property(xcb_window_t window, std::size_t max_bytes, Deadline deadline);

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Board> board_;
};

// An invisible window of ours that reports property changes.
xcb_window_t make_selection_window(Server& server);

}  // namespace handrail::x11

// Serves the content of a selection to whoever asks, from the connection's thread: TARGETS, TIMESTAMP,
// MULTIPLE, every format on offer, large ones in pieces (INCR), to several requestors at once. It
// never waits for a requestor; a dead one is forgotten.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/input_plan.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// More than this goes in pieces of this size.
inline constexpr std::size_t kClipboardPiece = 256 * 1024;

// What one target gives.
struct OfferedFormat {
  xcb_atom_t target = XCB_ATOM_NONE;
  xcb_atom_t type = XCB_ATOM_NONE;
  std::shared_ptr<const std::string> bytes;
  std::uint8_t format = 8;  // bits of a unit
};

struct SelectionOffer {
  xcb_window_t owner = XCB_WINDOW_NONE;
  xcb_timestamp_t since = XCB_CURRENT_TIME;
  std::vector<OfferedFormat> formats;
  std::vector<ClipItem> items;  // as they were written, for ourselves
};

class SelectionServer {
 public:
  // Replaces what is served under `selection`.
  void offer(xcb_atom_t selection, SelectionOffer offer);
  void withdraw(xcb_atom_t selection) { offers_.erase(selection); }
  const SelectionOffer* offered(xcb_atom_t selection) const;
  bool empty() const { return offers_.empty(); }
  void handle(Server& server, const xcb_generic_event_t& event);
  // On a new connection nothing of this is ours any more.
  void reset();

 private:
  // A large format on its way to one requestor; the next piece goes when it has taken the last.
  struct Transfer {
    xcb_window_t requestor = XCB_WINDOW_NONE;
    xcb_atom_t property = XCB_ATOM_NONE;
    xcb_atom_t type = XCB_ATOM_NONE;
    std::uint8_t format = 8;
    std::shared_ptr<const std::string> bytes;
    std::size_t sent = 0;
    TimePoint touched;
  };

  void answer(Server& server, const xcb_selection_request_event_t& request);
  // Writes one target to a property; false when it is not on offer.
  bool convert(Server& server, const SelectionOffer& offer, xcb_window_t requestor, xcb_atom_t target,
               xcb_atom_t property);
  bool convert_multiple(Server& server, const SelectionOffer& offer, xcb_window_t requestor, xcb_atom_t property);
  void send_piece(Server& server, xcb_window_t requestor, xcb_atom_t property);
  void forget_stale();

  std::map<xcb_atom_t, SelectionOffer> offers_;
  std::vector<Transfer> transfers_;
  // Ours, also when what they offered was withdrawn. Requests to others are for other servers on the same connection.
  std::vector<xcb_window_t> owners_;
};

// The targets under which an item is offered: a text under every name that apps ask for.
std::vector<OfferedFormat> formats_of(Server& server, const ClipItem& item, xcb_atom_t mime);

}  // namespace handrail::x11

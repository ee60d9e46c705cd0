// Spare keycodes: keys that no keyboard in use sends, lent for a while to characters that the layout
// lacks. Clients read the map as it is when they look, not as it was when a key was pressed; so what
// is lent stays until the app has taken its keys in. When that is, is the borrower's business.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <map>
#include <vector>

#include "base/result.h"
#include "platform/x11/keymap.h"

namespace handrail::x11 {

class Server;

struct SpareKeys {
  xcb_keycode_t first = 0;
  std::vector<KeyRow> original;         // of first, first + 1, …
  std::vector<xcb_keycode_t> keycodes;  // those that may be lent, lowest first
  KeyboardMap::OwnType type;            // that lent keys get
  xcb_keycode_t map_first = 0;          // the whole map, which a change of rows has to name
  xcb_keycode_t map_last = 0;

  std::size_t levels() const { return type.modifiers.size(); }
};

// The keysyms of lent keys, level by level.
using Lending = std::map<xcb_keycode_t, std::vector<xcb_keysym_t>>;

// `capability_unsupported` when the layout leaves none.
Result<SpareKeys> find_spare_keys(const KeyboardMap& map);

// Puts the keysyms on the keys in one request, as every change costs each client a new reading of the
// map. Keys of the range that are not in `lending` get back what they had; levels that are not given
// get the last one's keysym.
void lend(Server& server, const SpareKeys& spares, const Lending& lending);

// Puts the original rows back. Needs nothing but the rows, so that another process can do it too.
void restore_rows(xcb_connection_t* xcb, const SpareKeys& spares);

}  // namespace handrail::x11

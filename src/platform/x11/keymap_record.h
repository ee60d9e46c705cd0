// What the keyboard was before keys were lent and locks put aside, as bytes that another process can restore from
// when this one has died. It needs a connection and the bytes, nothing else of this backend.
#pragma once

#include <xcb/xcb.h>

#include <optional>
#include <string>
#include <string_view>

#include "platform/x11/keyboard_spares.h"

namespace handrail::x11 {

struct KeymapRecord {
  std::optional<SpareKeys> spares;     // whose rows were overwritten
  std::optional<KeyboardState> locks;  // that were put aside
  bool empty() const { return !spares && !locks; }
};

std::string encode_keymap(const KeymapRecord& record);
std::string encode_keymap(const SpareKeys& spares);

// Puts everything in `bytes` back, and is harmless to do twice. Sends and flushes; the caller waits for the server as
// it likes. Empty bytes are success; bytes that nobody here wrote are `argument_invalid`, and nothing is sent.
Status restore_keymap(xcb_connection_t* xcb, std::string_view bytes);

}  // namespace handrail::x11

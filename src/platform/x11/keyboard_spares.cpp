#include "platform/x11/keyboard_spares.h"

#include <algorithm>

#include "platform/x11/connection.h"
#include "platform/x11/keyboard_xkb.h"

namespace handrail::x11 {
namespace {

// Above all that keyboards and remote desktops send; apps attach no command to these.
constexpr int kFirstSpare = 236;
constexpr int kLastSpare = 255;

// Not the core request: XKB's own gives a key four levels, and puts back exactly what was there.
void write_rows(xcb_connection_t* xcb, const SpareKeys& spares, const std::vector<KeyRow>& rows) {
  std::vector<std::uint8_t> wire;
  std::size_t keysyms = 0;
  for (const KeyRow& row : rows) {
    xcb_xkb_key_sym_map_t head{};
    std::ranges::copy(row.types, head.kt_index);
    head.groupInfo = row.group_info;
    head.width = row.width;
    head.nSyms = static_cast<std::uint16_t>(row.keysyms.size());
    const auto append = [&](const void* data, std::size_t size) {
      const auto* bytes = static_cast<const std::uint8_t*>(data);
      wire.insert(wire.end(), bytes, bytes + size);
    };
    append(&head, sizeof head);
    append(row.keysyms.data(), row.keysyms.size() * sizeof(xcb_keysym_t));
    keysyms += row.keysyms.size();
  }
  xcb_xkb_set_map(xcb, XCB_XKB_ID_USE_CORE_KBD, XCB_XKB_MAP_PART_KEY_SYMS, 0, spares.map_first, spares.map_last, 0, 0,
                  spares.first, static_cast<std::uint8_t>(rows.size()), static_cast<std::uint16_t>(keysyms), 0, 0, 0, 0,
                  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, wire.data());
}

}  // namespace

Result<SpareKeys> find_spare_keys(const KeyboardMap& map) {
  SpareKeys spares;
  for (int key = std::max<int>(kFirstSpare, map.first_key()); key <= std::min<int>(kLastSpare, map.last_key()); ++key) {
    if (map.is_spare(static_cast<xcb_keycode_t>(key))) spares.keycodes.push_back(static_cast<xcb_keycode_t>(key));
  }
  if (spares.keycodes.empty()) {
    return make_error(Code::capability_unsupported, "The keyboard layout leaves no spare key for other characters.")
        .with_hint("Paste the text through the clipboard.");
  }
  spares.first = spares.keycodes.front();
  for (int key = spares.first; key <= spares.keycodes.back(); ++key) {
    spares.original.push_back(map.row(static_cast<xcb_keycode_t>(key)));
  }
  spares.type = map.widest_type();
  spares.map_first = map.first_key();
  spares.map_last = map.last_key();
  return spares;
}

void lend(Server& server, const SpareKeys& spares, const Lending& lending) {
  std::vector<KeyRow> rows = spares.original;
  for (const auto& [keycode, keysyms] : lending) {
    KeyRow& row = rows[static_cast<std::size_t>(keycode - spares.first)];
    row.types.fill(spares.type.type);
    row.group_info = 1;
    row.width = static_cast<std::uint8_t>(spares.levels());
    row.keysyms = keysyms;
    row.keysyms.resize(spares.levels(), keysyms.back());
  }
  write_rows(server.xcb(), spares, rows);
}

void restore_rows(xcb_connection_t* xcb, const SpareKeys& spares) { write_rows(xcb, spares, spares.original); }

}  // namespace handrail::x11

#include "platform/x11/keyboard_spares.h"

#include <algorithm>

#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

// Above all that keyboards and remote desktops send; apps attach no command to these.
constexpr int kFirstSpare = 236;
constexpr int kLastSpare = 255;

void write_rows(Server& server, const SpareKeys& spares, const std::vector<xcb_keysym_t>& rows) {
  if (rows.empty()) return;
  xcb_change_keyboard_mapping(server.xcb(), static_cast<std::uint8_t>(spares.count()), spares.first, spares.columns,
                              rows.data());
}

}  // namespace

Result<SpareKeys> find_spare_keys(Server& server, const KeyboardMap& map) {
  const xcb_setup_t* setup = xcb_get_setup(server.xcb());
  const int first = std::max<int>(kFirstSpare, setup->min_keycode);
  const int last = std::min<int>(kLastSpare, setup->max_keycode);
  SpareKeys spares;
  for (int key = first; key <= last; ++key) {
    if (map.is_spare(static_cast<xcb_keycode_t>(key))) spares.keycodes.push_back(static_cast<xcb_keycode_t>(key));
  }
  if (spares.keycodes.empty()) {
    return make_error(Code::capability_unsupported, "The keyboard layout leaves no spare key for other characters.")
        .with_hint("Paste the text through the clipboard.");
  }
  spares.first = spares.keycodes.front();
  const auto count = static_cast<std::uint8_t>(spares.keycodes.back() - spares.first + 1);
  const auto reply = TRY(server.reply(xcb_get_keyboard_mapping(server.xcb(), spares.first, count),
                                      xcb_get_keyboard_mapping_reply, "GetKeyboardMapping"));
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(reply.get());
  spares.columns = reply->keysyms_per_keycode;
  spares.original.assign(keysyms, keysyms + xcb_get_keyboard_mapping_keysyms_length(reply.get()));
  if (spares.columns < 2 || spares.count() != count) {
    return make_error(Code::backend_error, "The X server described its keyboard map wrongly.");
  }
  return spares;
}

void lend(Server& server, const SpareKeys& spares, const Lending& lending) {
  std::vector<xcb_keysym_t> rows = spares.original;
  for (const auto& [keycode, lent] : lending) {
    const std::size_t row = static_cast<std::size_t>(keycode - spares.first) * spares.columns;
    std::fill_n(rows.begin() + static_cast<std::ptrdiff_t>(row), spares.columns, XCB_NO_SYMBOL);
    rows[row] = lent.plain;
    rows[row + 1] = lent.shifted;
  }
  write_rows(server, spares, rows);
}

void restore_keymap(Server& server, const SpareKeys& spares) { write_rows(server, spares, spares.original); }

}  // namespace handrail::x11

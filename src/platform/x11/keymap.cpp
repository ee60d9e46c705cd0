#include "platform/x11/keymap.h"

#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include <algorithm>

#include "platform/x11/connection.h"
#include "platform/x11/extensions.h"
#include "platform/x11/keyboard_xkb.h"

namespace handrail::x11 {
namespace {

// Chromium takes some of the keycodes above the main block for commands such as Reload, whatever
// character is on them.
constexpr xcb_keycode_t kLastTextKey = 135;
// XF86 names: volume, mail, Bluetooth and the like.
constexpr std::uint32_t kVendorKeysyms = 0x10080000;
constexpr std::uint32_t kVendorKeysymsEnd = 0x1008ffff;

Status need_xkb(Server& server) {
  if (server.extensions().xkb.present()) return {};
  return make_error(Code::capability_unsupported, "The X server lacks the XKEYBOARD extension.");
}

bool is_keypad(std::uint32_t keysym) { return keysym >= XKB_KEY_KP_Space && keysym <= XKB_KEY_KP_Equal; }

}  // namespace

std::uint8_t KeyboardMap::KeyType::level(std::uint8_t in_effect) const {
  const std::uint8_t relevant = in_effect & modifiers;
  for (const LevelRule& rule : rules) {
    if (rule.modifiers == relevant) return rule.level;
  }
  return 0;
}

// The person's, which apps go by whoever presses the keys.
Result<KeyboardMap> KeyboardMap::read(Server& server) {
  TRY(need_xkb(server));
  const AsPerson person(server);
  constexpr std::uint16_t wanted = XCB_XKB_MAP_PART_KEY_TYPES | XCB_XKB_MAP_PART_KEY_SYMS |
                                   XCB_XKB_MAP_PART_KEY_ACTIONS | XCB_XKB_MAP_PART_MODIFIER_MAP;
  const auto reply = TRY(server.reply(
      xcb_xkb_get_map(server.xcb(), XCB_XKB_ID_USE_CORE_KBD, wanted, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      xcb_xkb_get_map_reply, "XkbGetMap"));
  // The counts below are only true of parts that are there.
  constexpr std::uint16_t needed = XCB_XKB_MAP_PART_KEY_TYPES | XCB_XKB_MAP_PART_KEY_SYMS;
  if ((reply->present & needed) != needed) {
    return make_error(Code::backend_error, "The X server has no map of the keyboard.");
  }
  const bool has_actions = (reply->present & XCB_XKB_MAP_PART_KEY_ACTIONS) != 0;
  const bool has_modifiers = (reply->present & XCB_XKB_MAP_PART_MODIFIER_MAP) != 0;
  xcb_xkb_get_map_map_t map{};
  xcb_xkb_get_map_map_unpack(xcb_xkb_get_map_map(reply.get()), reply->nTypes, reply->nKeySyms, reply->nKeyActions,
                             reply->totalActions, reply->totalKeyBehaviors, reply->virtualMods, reply->totalKeyExplicit,
                             reply->totalModMapKeys, reply->totalVModMapKeys, reply->present, &map);
  KeyboardMap out;
  out.first_key_ = reply->minKeyCode;
  out.last_key_ = reply->maxKeyCode;
  for (auto types = xcb_xkb_get_map_map_types_rtrn_iterator(reply.get(), &map); types.rem > 0;
       xcb_xkb_key_type_next(&types)) {
    KeyType type;
    type.modifiers = types.data->mods_mask;
    type.levels = types.data->numLevels;
    for (auto entries = xcb_xkb_key_type_map_iterator(types.data); entries.rem > 0;
         xcb_xkb_kt_map_entry_next(&entries)) {
      // Inactive: it needs a virtual modifier that no key has.
      if (entries.data->active != 0) type.rules.push_back({entries.data->mods_mask, entries.data->level});
    }
    out.types_.push_back(std::move(type));
  }
  int keycode = reply->firstKeySym;
  for (auto syms = xcb_xkb_get_map_map_syms_rtrn_iterator(reply.get(), &map); syms.rem > 0 && keycode < 256;
       xcb_xkb_key_sym_map_next(&syms), ++keycode) {
    KeyRow& row = out.keys_[static_cast<std::size_t>(keycode)];
    std::copy_n(syms.data->kt_index, row.types.size(), row.types.begin());
    row.group_info = syms.data->groupInfo;
    row.width = syms.data->width;
    const xcb_keysym_t* first = xcb_xkb_key_sym_map_syms(syms.data);
    row.keysyms.assign(first, first + xcb_xkb_key_sym_map_syms_length(syms.data));
  }
  for (int i = 0; has_actions && i < reply->nKeyActions; ++i) {
    const std::size_t key = static_cast<std::size_t>(reply->firstKeyAction + i);
    if (key < out.has_actions_.size()) out.has_actions_[key] = map.acts_rtrn_count[i] != 0;
  }
  for (auto mods = xcb_xkb_get_map_map_modmap_rtrn_iterator(reply.get(), &map); has_modifiers && mods.rem > 0;
       xcb_xkb_key_mod_map_next(&mods)) {
    out.modifiers_[mods.data->keycode] = mods.data->mods;
  }
  out.find_holders();
  return out;
}

void KeyboardMap::find_holders() {
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    if (keys_[key].keysyms.empty()) continue;
    const std::uint32_t keysym = keys_[key].keysyms[0];
    const auto keycode = static_cast<xcb_keycode_t>(key);
    if (keysym == XKB_KEY_Shift_L && shift_key_ == 0 && (modifiers_[key] & XCB_MOD_MASK_SHIFT) != 0) {
      shift_key_ = keycode;
    }
    if (keysym == XKB_KEY_ISO_Level3_Shift && third_level_key_ == 0 && modifiers_[key] != 0) {
      third_level_key_ = keycode;
      third_level_modifier_ = modifiers_[key];
    }
  }
}

template <class Matches>
std::optional<Stroke> KeyboardMap::search(xcb_keycode_t last, std::uint8_t in_effect, Matches matches) const {
  const std::uint8_t shift = shift_key_ != 0 ? std::uint8_t{XCB_MOD_MASK_SHIFT} : std::uint8_t{0};
  const std::array<std::uint8_t, 4> holds{0, shift, third_level_modifier_,
                                          static_cast<std::uint8_t>(shift | third_level_modifier_)};
  for (std::size_t key = 0; key <= last; ++key) {
    const KeyRow& row = keys_[key];
    if (row.types[0] >= types_.size()) continue;
    for (std::size_t level = 0; level < row.keysyms.size() && level < row.width; ++level) {
      if (row.keysyms[level] == XKB_KEY_NoSymbol || !matches(row.keysyms[level])) continue;
      for (const std::uint8_t hold : holds) {
        const auto mods = static_cast<std::uint8_t>(in_effect | hold);
        if (types_[row.types[0]].level(mods) != level) continue;
        return Stroke{static_cast<xcb_keycode_t>(key), static_cast<std::uint8_t>(hold & ~in_effect)};
      }
    }
  }
  return std::nullopt;
}

std::optional<Stroke> KeyboardMap::find(std::uint32_t keysym, std::uint8_t in_effect) const {
  return search(255, in_effect, [&](std::uint32_t candidate) { return candidate == keysym; });
}

std::optional<Stroke> KeyboardMap::find_char(char32_t character, std::uint8_t in_effect) const {
  return search(kLastTextKey, in_effect, [&](std::uint32_t candidate) {
    // Function keys (Return, Escape) have control characters, keypad keys depend on Num Lock.
    const bool function = candidate >= 0xfd00 && candidate <= 0xffff;
    return !is_keypad(candidate) && !function && xkb_keysym_to_utf32(candidate) == character;
  });
}

std::vector<xcb_keycode_t> KeyboardMap::holders(std::uint8_t modifiers) const {
  std::vector<xcb_keycode_t> keys;
  if ((modifiers & XCB_MOD_MASK_SHIFT) != 0 && shift_key_ != 0) keys.push_back(shift_key_);
  if ((modifiers & third_level_modifier_) != 0) keys.push_back(third_level_key_);
  return keys;
}

bool KeyboardMap::is_spare(xcb_keycode_t keycode) const {
  if (has_actions_[keycode] || modifiers_[keycode] != 0) return false;
  return std::ranges::all_of(keys_[keycode].keysyms, [](std::uint32_t keysym) {
    return keysym == XKB_KEY_NoSymbol || (keysym >= kVendorKeysyms && keysym <= kVendorKeysymsEnd);
  });
}

xcb_keycode_t KeyboardMap::key_of_modifier(std::uint8_t modifier) const {
  const auto sets = [&](std::uint8_t modifiers) { return (modifiers & modifier) != 0; };
  const auto key = std::ranges::find_if(modifiers_, sets);
  return key == modifiers_.end() ? xcb_keycode_t{0} : static_cast<xcb_keycode_t>(key - modifiers_.begin());
}

bool KeyboardMap::same_beside(const KeyboardMap& other, xcb_keycode_t first, xcb_keycode_t last) const {
  if (types_ != other.types_ || first_key_ != other.first_key_ || last_key_ != other.last_key_) return false;
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    if (key >= first && key <= last) continue;
    if (keys_[key] != other.keys_[key] || modifiers_[key] != other.modifiers_[key]) return false;
  }
  return true;
}

KeyboardMap::OwnType KeyboardMap::widest_type() const {
  OwnType best{0, {0}};  // XKB's own one-level type is always the first
  if (shift_key_ == 0) return best;
  const std::vector<std::uint8_t> wanted{0, XCB_MOD_MASK_SHIFT, third_level_modifier_,
                                         static_cast<std::uint8_t>(XCB_MOD_MASK_SHIFT | third_level_modifier_)};
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const KeyType& type = types_[i];
    const std::size_t levels = type.levels;
    // Four levels take two modifiers; other numbers have rules of their own.
    const bool usable = levels == 2 || (levels == 4 && third_level_modifier_ != 0);
    if (!usable || levels <= best.modifiers.size()) continue;
    bool fits = true;
    for (std::size_t level = 0; level < levels; ++level) fits = fits && type.level(wanted[level]) == level;
    // Not one that Caps Lock or Num Lock changes.
    fits = fits && (type.modifiers & ~wanted[levels - 1]) == 0;
    if (fits) best = {static_cast<std::uint8_t>(i), {wanted.begin(), wanted.begin() + static_cast<long>(levels)}};
  }
  return best;
}

void watch_keyboard_map(Server& server) {
  if (!server.extensions().xkb.present()) return;
  constexpr std::uint16_t events = XCB_XKB_EVENT_TYPE_NEW_KEYBOARD_NOTIFY | XCB_XKB_EVENT_TYPE_MAP_NOTIFY;
  constexpr std::uint16_t parts = 0xff;
  xcb_xkb_select_events(server.xcb(), XCB_XKB_ID_USE_CORE_KBD, events, 0, events, parts, parts, nullptr);
}

bool tells_new_map(const Server& server, const xcb_generic_event_t& event) {
  const Extension& xkb = server.extensions().xkb;
  if (!xkb.present() || (event.response_type & 0x7f) != xkb.first_event) return false;
  // The kind stands where other events have their detail.
  return event.pad0 == XCB_XKB_NEW_KEYBOARD_NOTIFY || event.pad0 == XCB_XKB_MAP_NOTIFY;
}

Result<KeyboardState> read_keyboard_state(Server& server) {
  TRY(need_xkb(server));
  const auto reply = TRY(
      server.reply(xcb_xkb_get_state(server.xcb(), XCB_XKB_ID_USE_CORE_KBD), xcb_xkb_get_state_reply, "XkbGetState"));
  return KeyboardState{reply->baseMods, reply->latchedMods, reply->lockedMods, reply->group, reply->lockedGroup};
}

void make_plain(Server& server, const KeyboardState& before) {
  if (before.plain()) return;
  xcb_xkb_latch_lock_state(server.xcb(), XCB_XKB_ID_USE_CORE_KBD, XCB_MOD_MASK_LOCK, 0, 1, 0, before.latched, 0, 0);
}

void restore_locks(xcb_connection_t* xcb, const KeyboardState& before) {
  if (before.plain()) return;
  xcb_xkb_latch_lock_state(xcb, XCB_XKB_ID_USE_CORE_KBD, XCB_MOD_MASK_LOCK, before.locked & XCB_MOD_MASK_LOCK, 1,
                           before.locked_group, 0, 0, 0);
}

}  // namespace handrail::x11

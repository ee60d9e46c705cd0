// The keyboard as the X server has it now: which key, with which modifiers held, makes a keysym in the
// first layout group; and the locks that would change what a key makes. It reads; it presses nothing.
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"

namespace handrail::x11 {

class Server;

// One key to press while the modifiers are held.
struct Stroke {
  xcb_keycode_t keycode = 0;
  std::uint8_t modifiers = 0;  // real modifiers to hold for it, beyond those in effect
  friend bool operator==(const Stroke&, const Stroke&) = default;
};

// A key's row of the map, as XKB has it.
struct KeyRow {
  std::array<std::uint8_t, 4> types{};  // of each group
  std::uint8_t group_info = 0;
  std::uint8_t width = 0;             // levels a group
  std::vector<xcb_keysym_t> keysyms;  // group by group
  int groups() const { return group_info & 0x0f; }
  friend bool operator==(const KeyRow&, const KeyRow&) = default;
};

class KeyboardMap {
 public:
  // One round trip.
  static Result<KeyboardMap> read(Server& server);

  // The key that makes `keysym` while `in_effect` are down or locked. Modifiers that no key of ours can
  // hold are not considered.
  std::optional<Stroke> find(std::uint32_t keysym, std::uint8_t in_effect) const;
  // The same for a character, under whatever keysym the layout names it; only on keys that every app
  // takes for text, and never by a dead key.
  std::optional<Stroke> find_char(char32_t character, std::uint8_t in_effect) const;
  // The keys to press for a set of modifiers as `Stroke` has them.
  std::vector<xcb_keycode_t> holders(std::uint8_t modifiers) const;
  // The modifiers that a key sets while it is down.
  std::uint8_t modifiers_of(xcb_keycode_t keycode) const { return modifiers_[keycode]; }

  // Not in use by any layout: nothing on it, or a function key that sets no modifier and starts no
  // action in the server.
  bool is_spare(xcb_keycode_t keycode) const;
  const KeyRow& row(xcb_keycode_t keycode) const { return keys_[keycode]; }
  // The first key that sets the modifier; 0 when none does.
  xcb_keycode_t key_of_modifier(std::uint8_t modifier) const;
  // The same but for the keys from `first` to `last`.
  bool same_beside(const KeyboardMap& other, xcb_keycode_t first, xcb_keycode_t last) const;
  // A type for keys of our own: the modifiers that lead to each of its levels, one a level.
  struct OwnType {
    std::uint8_t type = 0;
    std::vector<std::uint8_t> modifiers;
  };
  OwnType widest_type() const;
  xcb_keycode_t first_key() const { return first_key_; }
  xcb_keycode_t last_key() const { return last_key_; }

 private:
  struct LevelRule {
    std::uint8_t modifiers = 0;
    std::uint8_t level = 0;
    friend bool operator==(const LevelRule&, const LevelRule&) = default;
  };
  struct KeyType {
    std::uint8_t modifiers = 0;  // those that matter to it
    std::uint8_t levels = 1;
    std::vector<LevelRule> rules;
    std::uint8_t level(std::uint8_t in_effect) const;
    friend bool operator==(const KeyType&, const KeyType&) = default;
  };
  template <class Matches>
  std::optional<Stroke> search(xcb_keycode_t last, std::uint8_t in_effect, Matches matches) const;
  void find_holders();

  std::vector<KeyType> types_;
  std::array<KeyRow, 256> keys_;
  std::array<bool, 256> has_actions_{};
  std::array<std::uint8_t, 256> modifiers_{};
  xcb_keycode_t first_key_ = 0;
  xcb_keycode_t last_key_ = 0;
  xcb_keycode_t shift_key_ = 0;
  xcb_keycode_t third_level_key_ = 0;
  std::uint8_t third_level_modifier_ = 0;
};

// Asks the server to tell of changes of the map, and knows its word for one.
void watch_keyboard_map(Server& server);
bool tells_new_map(const Server& server, const xcb_generic_event_t& event);

// What is locked, latched or held on the keyboard.
struct KeyboardState {
  std::uint8_t held = 0;
  std::uint8_t latched = 0;
  std::uint8_t locked = 0;
  std::uint8_t group = 0;         // in effect
  std::uint8_t locked_group = 0;  // what remains when nothing is held

  bool caps_lock() const { return (locked & XCB_MOD_MASK_LOCK) != 0; }
  // A key makes what the first group says, in the case it says.
  bool plain() const { return !caps_lock() && latched == 0 && group == 0; }
  friend bool operator==(const KeyboardState&, const KeyboardState&) = default;
};

Result<KeyboardState> read_keyboard_state(Server& server);
// Caps Lock off, first group, no latch. Keys carry the state they were pressed in, so undoing this
// right after the last key is safe.
void make_plain(Server& server, const KeyboardState& before);
void restore_locks(xcb_connection_t* xcb, const KeyboardState& before);

}  // namespace handrail::x11

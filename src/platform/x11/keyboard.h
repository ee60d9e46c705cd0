// The keyboard while a plan uses it: the layout read once, locks out of the way, spare keys lent for
// what the layout lacks. Lives on the connection's thread. It says which keycodes to press; it does
// not press them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "computer/custody.h"
#include "model/key.h"
#include "platform/x11/keyboard_spares.h"
#include "platform/x11/keymap.h"

namespace handrail::x11 {

class Keyboard {
 public:
  // Who puts the map and the locks back when this process dies; null: nobody does.
  void set_custody(Custody* custody) { custody_ = custody; }
  // The server says that the map is another one now, by whomever.
  void note_change() { changed_ = true; }

  // What will be typed decides what happens to the locks: `plain` turns Caps Lock and other layout
  // groups off until close(), `as_is` is for plans that press lock keys themselves.
  enum class Locks { plain, as_is };
  Status open(Server& server, Locks locks);
  // `target_stale` when somebody else has changed the map since: the keys would make other characters.
  Status check_unchanged(Server& server);
  // Every keysym that a key can make.
  std::vector<std::uint32_t> keysyms(xcb_keycode_t keycode) const;
  xcb_keycode_t key_of_modifier(std::uint8_t modifier) const { return map_->key_of_modifier(modifier); }
  std::uint8_t modifiers_of(xcb_keycode_t keycode) const { return map_->modifiers_of(keycode); }
  // The modifiers of the key that makes a keysym; 0 when there is none.
  std::uint8_t modifier_of_keysym(std::uint32_t keysym) const;
  // Puts the locks back. Lent keys stay lent.
  void close(Server& server);
  bool is_open() const { return map_.has_value(); }

  // Lends a spare key to each keysym that the layout lacks, in one change of the map. `target_stale` as above.
  Status lend_keys(Server& server, const std::vector<std::uint32_t>& keysyms);
  struct Press {
    std::vector<xcb_keycode_t> keycodes;  // modifiers first
    bool lent = false;
  };
  // How to press a key while the keys in `down` are held. Nothing when it is neither on the layout nor lent.
  std::optional<Press> find(Key key, const std::vector<xcb_keycode_t>& down) const;

  // A character by the layout alone.
  std::optional<Stroke> find_char(char32_t character) const;
  std::vector<xcb_keycode_t> holders(std::uint8_t modifiers) const { return map_->holders(modifiers); }
  // How many characters can be lent keys at a time.
  Result<std::size_t> text_capacity();
  // Lends keys to these characters, in place of those lent to other characters before.
  Status lend_text(Server& server, const std::vector<char32_t>& characters);
  std::optional<Stroke> lent_char(char32_t character) const;

  bool lending() const { return !lent_keys_.empty() || !lent_chars_.empty(); }
  // Takes lent keys back, for characters only or for all.
  void end_text(Server& server);
  void restore(Server& server);
  // On a new connection: takes back what an older one lent, if the server still has it.
  Status recover(Server& server);

 private:
  struct Place {
    xcb_keycode_t keycode = 0;
    std::size_t level = 0;
  };
  Status find_spares();
  Status write(Server& server);
  bool still_lent(const KeyboardMap& map) const;
  // The spare rows as they were, unless the layout they belong to is gone.
  void put_back(Server& server);
  void forget_lent();
  // Tells custody what there is to put back.
  Status keep();

  Custody* custody_ = nullptr;
  bool changed_ = false;
  bool foreign_ = false;  // somebody else has changed the map while keys were lent
  std::string kept_;
  std::optional<KeyboardMap> map_;
  KeyboardState before_;
  Locks locks_ = Locks::as_is;
  std::optional<SpareKeys> spares_;
  std::map<std::uint32_t, xcb_keycode_t> lent_keys_;
  std::map<char32_t, Place> lent_chars_;
  Lending written_;
};

}  // namespace handrail::x11

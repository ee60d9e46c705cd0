// Keys by meaning, not by place: a keysym, found under any of its usual names. Layouts are the
// backend's business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace handrail {

struct Key {
  std::uint32_t keysym = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

enum class Modifier { ctrl, shift, alt, super };

// Keys pressed together: in order, released in the reverse order.
struct Chord {
  std::vector<Key> keys;
  friend bool operator==(const Chord&, const Chord&) = default;
};

// X names (Return, KP_0), web names (Enter, ArrowUp, Control), upper case (CTRL, ENTER), single
// characters ("a", "é", "日"), U+XXXX.
Result<Key> parse_key(std::string_view text);
// "ctrl+shift+s"; a lone "+" is a key, and so is the last one of "ctrl++". One to eight different
// keys. Beside a modifier a letter names its key, not its case: "Control+A" is ctrl+a.
Result<Chord> parse_chord(std::string_view text);
Result<Modifier> parse_modifier(std::string_view text);
Key key_of(Modifier modifier);
std::string name(Key key);

// The keysym that produces one Unicode character.
Key key_for_char(char32_t character);

}  // namespace handrail

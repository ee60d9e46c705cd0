#include "model/key.h"

#include <fmt/format.h>
#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/nearest.h"
#include "base/utf8.h"

namespace handrail {
namespace {

constexpr std::size_t kMaxChordKeys = 8;
constexpr std::size_t kMaxNameLength = 64;

struct KeyName {
  std::string_view name;  // lower case
  std::uint32_t keysym;
};

// Names that X does not know, or knows otherwise: those of the web and of people's keyboards. Where X
// and the web disagree (Meta), the key that is on today's keyboards wins.
constexpr std::array kKeyNames{
    KeyName{"ctrl", XKB_KEY_Control_L},
    KeyName{"control", XKB_KEY_Control_L},
    KeyName{"shift", XKB_KEY_Shift_L},
    KeyName{"alt", XKB_KEY_Alt_L},
    KeyName{"option", XKB_KEY_Alt_L},
    KeyName{"altgr", XKB_KEY_ISO_Level3_Shift},
    KeyName{"altgraph", XKB_KEY_ISO_Level3_Shift},
    KeyName{"super", XKB_KEY_Super_L},
    KeyName{"cmd", XKB_KEY_Super_L},
    KeyName{"command", XKB_KEY_Super_L},
    KeyName{"win", XKB_KEY_Super_L},
    KeyName{"windows", XKB_KEY_Super_L},
    KeyName{"meta", XKB_KEY_Super_L},
    KeyName{"mod4", XKB_KEY_Super_L},
    KeyName{"os", XKB_KEY_Super_L},
    KeyName{"enter", XKB_KEY_Return},
    KeyName{"return", XKB_KEY_Return},
    KeyName{"esc", XKB_KEY_Escape},
    KeyName{"escape", XKB_KEY_Escape},
    KeyName{"del", XKB_KEY_Delete},
    KeyName{"delete", XKB_KEY_Delete},
    KeyName{"ins", XKB_KEY_Insert},
    KeyName{"insert", XKB_KEY_Insert},
    KeyName{"backspace", XKB_KEY_BackSpace},
    KeyName{"tab", XKB_KEY_Tab},
    KeyName{"space", XKB_KEY_space},
    KeyName{"spacebar", XKB_KEY_space},
    KeyName{"up", XKB_KEY_Up},
    KeyName{"down", XKB_KEY_Down},
    KeyName{"left", XKB_KEY_Left},
    KeyName{"right", XKB_KEY_Right},
    KeyName{"arrowup", XKB_KEY_Up},
    KeyName{"arrowdown", XKB_KEY_Down},
    KeyName{"arrowleft", XKB_KEY_Left},
    KeyName{"arrowright", XKB_KEY_Right},
    KeyName{"home", XKB_KEY_Home},
    KeyName{"end", XKB_KEY_End},
    KeyName{"pageup", XKB_KEY_Page_Up},
    KeyName{"pagedown", XKB_KEY_Page_Down},
    KeyName{"pgup", XKB_KEY_Page_Up},
    KeyName{"pgdn", XKB_KEY_Page_Down},
    KeyName{"pgdown", XKB_KEY_Page_Down},
    KeyName{"capslock", XKB_KEY_Caps_Lock},
    KeyName{"numlock", XKB_KEY_Num_Lock},
    KeyName{"scrolllock", XKB_KEY_Scroll_Lock},
    KeyName{"contextmenu", XKB_KEY_Menu},
    KeyName{"printscreen", XKB_KEY_Print},
    KeyName{"plus", XKB_KEY_plus},
    KeyName{"minus", XKB_KEY_minus},
    KeyName{"hyphen", XKB_KEY_minus},
    KeyName{"equals", XKB_KEY_equal},
    KeyName{"dot", XKB_KEY_period},
    KeyName{"audiovolumeup", XKB_KEY_XF86AudioRaiseVolume},
    KeyName{"audiovolumedown", XKB_KEY_XF86AudioLowerVolume},
    KeyName{"audiovolumemute", XKB_KEY_XF86AudioMute},
    KeyName{"mediaplaypause", XKB_KEY_XF86AudioPlay},
    KeyName{"mediastop", XKB_KEY_XF86AudioStop},
    KeyName{"mediatracknext", XKB_KEY_XF86AudioNext},
    KeyName{"mediatrackprevious", XKB_KEY_XF86AudioPrev},
    KeyName{"browserback", XKB_KEY_XF86Back},
    KeyName{"browserforward", XKB_KEY_XF86Forward},
    KeyName{"browserrefresh", XKB_KEY_XF86Refresh},
};

// What a suggestion may name beyond the table above.
constexpr std::array<std::string_view, 20> kOtherNames{
    "f1",  "f2",  "f3",       "f4",     "f5",   "f6",    "f7",    "f8",     "f9",    "f10",
    "f11", "f12", "kp_enter", "kp_add", "menu", "pause", "comma", "period", "slash", "semicolon"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Error unknown_key(std::string_view text) {
  std::vector<std::string_view> names(kOtherNames.begin(), kOtherNames.end());
  for (const KeyName& row : kKeyNames) names.push_back(row.name);
  const std::string given = lower(text);
  const std::string_view close = nearest(given, names);
  std::string message = fmt::format("\"{}\" is no key.", shortened(text, kMaxNameLength));
  if (!close.empty()) message += fmt::format(" The nearest name is \"{}\".", close);
  return make_error(Code::argument_invalid, std::move(message))
      .with_field("key", "a key name (Enter, ArrowUp, F5, KP_0), one character, or U+XXXX");
}

// The number in "U+20AC", when the text has that form.
std::optional<char32_t> code_point(std::string_view text) {
  if (text.size() < 4 || text.size() > 8 || (text[0] != 'U' && text[0] != 'u') || text[1] != '+') return {};
  char32_t value = 0;
  for (const char c : lower(text.substr(2))) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) return {};
    value = value * 16 + static_cast<char32_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return value;
}

bool is_typable(char32_t c) {
  if (c == U'\n' || c == U'\r' || c == U'\t') return true;
  return c >= 0x20 && !(c >= 0x7f && c < 0xa0) && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
}

bool is_modifier(Key key) {
  return (key.keysym >= XKB_KEY_Shift_L && key.keysym <= XKB_KEY_Hyper_R) || key.keysym == XKB_KEY_ISO_Level3_Shift;
}

}  // namespace

Result<Key> parse_key(std::string_view text) {
  if (text.empty()) return make_error(Code::argument_invalid, "The key is empty.").with_field("key", "a key name");
  const std::u32string characters = TRY(decode_utf8(text));
  if (characters.size() == 1) {
    if (!is_typable(characters[0])) {
      return make_error(Code::argument_invalid,
                        fmt::format("Control character U+{:04X} is no key.", static_cast<std::uint32_t>(characters[0])))
          .with_field("key", "a key name, for example BackSpace or Escape");
    }
    return key_for_char(characters[0]);
  }
  const std::string_view word = trimmed(text);
  if (word.empty() || word.size() > kMaxNameLength) return unknown_key(text);

  const std::string lowered = lower(word);
  for (const KeyName& row : kKeyNames) {
    if (row.name == lowered) return Key{row.keysym};
  }
  if (const auto number = code_point(word)) {
    if (!is_typable(*number)) return unknown_key(word);
    return key_for_char(*number);
  }
  const std::string name(word);
  xkb_keysym_t keysym = xkb_keysym_from_name(name.c_str(), XKB_KEYSYM_NO_FLAGS);
  if (keysym == XKB_KEY_NoSymbol) keysym = xkb_keysym_from_name(name.c_str(), XKB_KEYSYM_CASE_INSENSITIVE);
  if (keysym == XKB_KEY_NoSymbol || keysym == XKB_KEY_VoidSymbol) return unknown_key(word);
  return Key{keysym};
}

Result<Chord> parse_chord(std::string_view text) {
  const auto invalid = [&](std::string message) {
    return make_error(Code::argument_invalid, std::move(message)).with_field("key", "keys joined by +, as in ctrl+s");
  };
  if (text.empty()) return invalid("The key is empty.");
  if (trimmed(text).empty()) return Chord{{TRY(parse_key(" "))}};

  std::string_view rest = trimmed(text);
  std::vector<std::string_view> parts;
  // A final "+" that follows another one, or stands alone, is the key itself.
  if (rest.back() == '+') {
    const std::string_view before = trimmed(rest.substr(0, rest.size() - 1));
    if (before.empty()) return Chord{{Key{XKB_KEY_plus}}};
    if (before.back() != '+') return invalid(fmt::format("Nothing follows the last + of \"{}\".", shortened(text, 64)));
    parts.push_back(rest.substr(rest.size() - 1));
    rest = before.substr(0, before.size() - 1);
  }
  std::vector<std::string_view> front;
  for (;;) {
    const std::size_t plus = rest.find('+');
    // "U+20AC" is one key although it holds a plus.
    std::size_t end = plus;
    if (plus != rest.npos && (trimmed(rest.substr(0, plus)) == "U" || trimmed(rest.substr(0, plus)) == "u")) {
      const std::size_t next = rest.find('+', plus + 1);
      if (code_point(trimmed(rest.substr(0, next)))) end = next;
    }
    const std::string_view part = trimmed(rest.substr(0, end));
    if (part.empty()) return invalid(fmt::format("\"{}\" has an empty part between two +.", shortened(text, 64)));
    front.push_back(part);
    if (end == rest.npos) break;
    rest = rest.substr(end + 1);
  }
  parts.insert(parts.begin(), front.begin(), front.end());
  if (parts.size() > kMaxChordKeys) return invalid(fmt::format("A chord has at most {} keys.", kMaxChordKeys));

  Chord chord;
  for (const std::string_view part : parts) {
    const Key key = TRY(parse_key(part));
    if (std::ranges::find(chord.keys, key) != chord.keys.end()) {
      return invalid(fmt::format("\"{}\" is named twice in \"{}\".", part, shortened(text, 64)));
    }
    chord.keys.push_back(key);
  }
  // Beside a modifier a letter names the key, not its case: "Control+A" is what the web calls ctrl+a.
  if (std::ranges::any_of(chord.keys, is_modifier)) {
    for (Key& key : chord.keys) key.keysym = xkb_keysym_to_lower(key.keysym);
  }
  return chord;
}

Result<Modifier> parse_modifier(std::string_view text) {
  constexpr std::array all{Modifier::ctrl, Modifier::shift, Modifier::alt, Modifier::super};
  if (const Result<Key> key = parse_key(text); key.ok()) {
    for (const Modifier modifier : all) {
      const std::uint32_t left = key_of(modifier).keysym;
      // The right-hand keys follow the left-hand ones in X's numbering.
      if (key->keysym == left || key->keysym == left + 1) return modifier;
    }
  }
  return make_error(Code::argument_invalid, fmt::format("\"{}\" is no modifier.", shortened(text, kMaxNameLength)))
      .with_field("modifier", "ctrl, shift, alt or super");
}

Key key_of(Modifier modifier) {
  switch (modifier) {
    case Modifier::ctrl: return {XKB_KEY_Control_L};
    case Modifier::shift: return {XKB_KEY_Shift_L};
    case Modifier::alt: return {XKB_KEY_Alt_L};
    case Modifier::super: return {XKB_KEY_Super_L};
  }
  return {};
}

std::string name(Key key) {
  std::array<char, 64> buffer{};
  if (xkb_keysym_get_name(key.keysym, buffer.data(), buffer.size()) <= 0) return fmt::format("0x{:x}", key.keysym);
  return buffer.data();
}

Key key_for_char(char32_t character) {
  if (character == U'\n' || character == U'\r') return {XKB_KEY_Return};
  if (character == U'\t') return {XKB_KEY_Tab};
  const bool latin1 = (character >= 0x20 && character < 0x7f) || (character >= 0xa0 && character <= 0xff);
  if (latin1) return {static_cast<std::uint32_t>(character)};
  const xkb_keysym_t keysym = xkb_utf32_to_keysym(character);
  // xkbcommon declines characters that Unicode sets aside; X names them like any other.
  return {keysym != XKB_KEY_NoSymbol ? keysym : 0x01000000u | static_cast<std::uint32_t>(character)};
}

}  // namespace handrail

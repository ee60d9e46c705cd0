#include "policy/text_window.h"

#include <xkbcommon/xkbcommon-keysyms.h>
#include <xkbcommon/xkbcommon.h>

#include <algorithm>

#include "base/utf8.h"

namespace handrail::policy {
namespace {

// Stands where a key may have brought text that nobody sent: a completion, an old command, a paste.
constexpr char32_t kUnknown = 0xfffc;
constexpr std::size_t kMaxCharacters = TextWindow::kMaxBytes / 4;

std::u32string characters_of(std::string_view text) {
  const Result<std::u32string> decoded = decode_utf8(text);
  if (decoded.ok()) return *decoded;
  std::u32string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x80 ? static_cast<char32_t>(c) : U'\ufffd';
  return out;
}

bool is_line_end(char32_t c) {
  return c == U'\n' || c == U'\r' || c == U'\v' || c == U'\f' || c == 0x85 || c == 0x2028 || c == 0x2029;
}
bool is_blank(char32_t c) { return c == U' ' || c == U'\t' || is_line_end(c); }

// The upper row of an American keyboard, which a chord may name by its lower one.
char32_t shifted(char32_t c) {
  static constexpr std::u32string_view kLower = U"`1234567890-=[]\\;',./";
  static constexpr std::u32string_view kUpper = U"~!@#$%^&*()_+{}|:\"<>?";
  const std::size_t at = kLower.find(c);
  if (at != std::u32string_view::npos) return kUpper[at];
  return c >= U'a' && c <= U'z' ? c - U'a' + U'A' : c;
}

bool is_ctrl(std::uint32_t k) { return k == XKB_KEY_Control_L || k == XKB_KEY_Control_R; }
bool is_shift(std::uint32_t k) { return k == XKB_KEY_Shift_L || k == XKB_KEY_Shift_R; }
bool is_alt(std::uint32_t k) {
  return k == XKB_KEY_Alt_L || k == XKB_KEY_Alt_R || k == XKB_KEY_Meta_L || k == XKB_KEY_Meta_R;
}
bool is_other_modifier(std::uint32_t k) {
  return (k >= XKB_KEY_Caps_Lock && k <= XKB_KEY_Hyper_R) || k == XKB_KEY_ISO_Level3_Shift;
}

std::uint32_t without_keypad(std::uint32_t keysym) {
  switch (keysym) {
    case XKB_KEY_KP_Left: return XKB_KEY_Left;
    case XKB_KEY_KP_Right: return XKB_KEY_Right;
    case XKB_KEY_KP_Up: return XKB_KEY_Up;
    case XKB_KEY_KP_Down: return XKB_KEY_Down;
    case XKB_KEY_KP_Home:
    case XKB_KEY_Begin: return XKB_KEY_Home;
    case XKB_KEY_KP_End: return XKB_KEY_End;
    case XKB_KEY_KP_Delete: return XKB_KEY_Delete;
    case XKB_KEY_KP_Insert: return XKB_KEY_Insert;
    case XKB_KEY_KP_Enter:
    case XKB_KEY_Linefeed:
    case XKB_KEY_ISO_Enter: return XKB_KEY_Return;
    case XKB_KEY_KP_Tab:
    case XKB_KEY_ISO_Left_Tab: return XKB_KEY_Tab;
    default: return keysym;
  }
}

void append(std::string& out, std::u32string_view text, char32_t unknown_as) {
  for (const char32_t c : text) {
    if (c != kUnknown) {
      out += encode_utf8(c);
    } else if (unknown_as != 0) {
      out += encode_utf8(unknown_as);
    }
  }
}

}  // namespace

TextWindow::TextWindow() {
  for (const auto kind : {Reading::Kind::command_line, Reading::Kind::editor, Reading::Kind::by_number}) {
    readings_.push_back({});
    readings_.back().kind = kind;
  }
}

std::size_t TextWindow::Reading::line_start() const {
  std::size_t at = caret;
  while (at > floor && !is_line_end(text[at - 1])) --at;
  return at;
}
std::size_t TextWindow::Reading::line_end() const {
  std::size_t at = caret;
  while (at < text.size() && !is_line_end(text[at])) ++at;
  return at;
}
std::size_t TextWindow::Reading::word_left() const {
  std::size_t at = caret;
  while (at > floor && is_blank(text[at - 1])) --at;
  while (at > floor && !is_blank(text[at - 1])) --at;
  return at;
}
std::size_t TextWindow::Reading::word_right() const {
  std::size_t at = caret;
  while (at < text.size() && is_blank(text[at])) ++at;
  while (at < text.size() && !is_blank(text[at])) ++at;
  return at;
}

void TextWindow::Reading::limit() {
  if (text.size() <= kMaxCharacters) return;
  const std::size_t cut = text.size() - kMaxCharacters;
  // The part around the caret stays: it is the one that goes on.
  const std::size_t from = std::min(cut, caret);
  text.erase(0, from);
  if (text.size() > kMaxCharacters) text.resize(kMaxCharacters);
  caret = std::min(caret - from, text.size());
  anchor = std::min(anchor > from ? anchor - from : 0, text.size());
  floor = std::min(floor > from ? floor - from : 0, caret);
}

void TextWindow::Reading::erase(std::size_t from, std::size_t to, bool keep) {
  if (from >= to) return;
  if (keep) killed = text.substr(from, to - from);
  text.erase(from, to - from);
  caret = anchor = from;
}

bool TextWindow::Reading::drop_selection() {
  if (kind != Kind::editor || anchor == caret) return false;
  erase(std::min(anchor, caret), std::max(anchor, caret), true);
  return true;
}

void TextWindow::Reading::move(std::size_t to, bool select) {
  caret = to;
  if (!select || kind != Kind::editor) anchor = caret;
}

void TextWindow::Reading::insert(char32_t character) {
  drop_selection();
  const bool ends = is_line_end(character);
  // A command line is taken as a whole, wherever the caret stands.
  if (ends && kind != Kind::editor) caret = text.size();
  text.insert(caret, 1, character);
  anchor = ++caret;
  if (ends && kind != Kind::editor) floor = caret;
}

// Ctrl+Shift+U, hexadecimal digits, then Return or space: one character. True when the key was part of it.
bool TextWindow::Reading::compose(std::uint32_t keysym, char32_t character, bool ctrl, bool shift) {
  if (kind != Kind::by_number) return false;
  if (ctrl && shift && (keysym == XKB_KEY_u || keysym == XKB_KEY_U)) {
    number = true;
    digits.clear();
    return true;
  }
  if (!number) return false;
  const char32_t lower = character >= U'A' && character <= U'F' ? character - U'A' + U'a' : character;
  if (((lower >= U'0' && lower <= U'9') || (lower >= U'a' && lower <= U'f')) && digits.size() < 8) {
    digits += lower;
    return true;
  }
  number = false;
  char32_t value = 0;
  for (const char32_t c : digits) value = (value << 4U) | (c <= U'9' ? c - U'0' : c - U'a' + 10);
  if (!digits.empty() && value != 0 && value <= 0x10ffff) insert(value);
  return keysym == XKB_KEY_Return || character == U' ';
}

void TextWindow::Reading::edit(std::uint32_t keysym, bool ctrl, bool alt, bool shift) {
  const bool line = kind != Kind::editor;
  // The keys of a command line first; in an editor most of them mean something else.
  if (line && ctrl && !alt && keysym >= XKB_KEY_a && keysym <= XKB_KEY_z) {
    switch (keysym) {
      case XKB_KEY_a: return move(line_start(), false);
      case XKB_KEY_e: return move(line_end(), false);
      case XKB_KEY_b: return move(std::max(floor, caret - (caret > floor ? 1 : 0)), false);
      case XKB_KEY_f: return move(std::min(text.size(), caret + 1), false);
      case XKB_KEY_h: return edit(XKB_KEY_BackSpace, false, false, false);
      case XKB_KEY_d: return edit(XKB_KEY_Delete, false, false, false);
      case XKB_KEY_w: return erase(word_left(), caret, true);
      case XKB_KEY_u: return erase(line_start(), caret, true);
      case XKB_KEY_k: return erase(caret, line_end(), true);
      case XKB_KEY_y: {
        for (const char32_t c : std::u32string(killed)) insert(c);
        return;
      }
      case XKB_KEY_t: {
        const std::size_t at = caret == text.size() && caret > floor ? caret - 1 : caret;
        if (at > floor && at < text.size()) {
          std::swap(text[at - 1], text[at]);
          move(at + 1, false);
        }
        return;
      }
      case XKB_KEY_c: return insert(U'\n');
      case XKB_KEY_j:
      case XKB_KEY_m:
      case XKB_KEY_o: return insert(U'\n');
      default: return insert(kUnknown);
    }
  }
  if (line && alt && keysym >= XKB_KEY_a && keysym <= XKB_KEY_z) {
    switch (keysym) {
      case XKB_KEY_b: return move(word_left(), false);
      case XKB_KEY_f: return move(word_right(), false);
      case XKB_KEY_d: return erase(caret, word_right(), true);
      default: return insert(kUnknown);
    }
  }
  if (!line && ctrl && keysym == XKB_KEY_a) {
    anchor = 0;
    caret = text.size();
    return;
  }
  if (!line && ctrl && keysym == XKB_KEY_x) {
    drop_selection();
    return;
  }
  if (!line && ctrl && keysym == XKB_KEY_v) {
    // Most likely what was cut here; what was copied elsewhere is not known.
    const std::u32string brought = killed.empty() ? std::u32string(1, kUnknown) : killed;
    for (const char32_t c : brought) insert(c);
    return;
  }
  switch (keysym) {
    case XKB_KEY_Return: return insert(U'\n');
    case XKB_KEY_BackSpace:
      if (drop_selection()) return;
      return erase(ctrl || alt ? word_left() : caret - (caret > floor ? 1 : 0), caret, ctrl || alt);
    case XKB_KEY_Delete: {
      if (drop_selection()) return;
      const std::size_t at = caret;
      return erase(at, ctrl ? word_right() : std::min(text.size(), at + 1), ctrl);
    }
    case XKB_KEY_Left: return move(ctrl || alt ? word_left() : caret - (caret > floor ? 1 : 0), shift);
    case XKB_KEY_Right: return move(ctrl || alt ? word_right() : std::min(text.size(), caret + 1), shift);
    case XKB_KEY_Home: return move(ctrl ? floor : line_start(), shift);
    case XKB_KEY_End: return move(ctrl ? text.size() : line_end(), shift);
    case XKB_KEY_Up:
    case XKB_KEY_Down: {
      if (line) return insert(kUnknown);
      const std::size_t column = caret - line_start();
      if (keysym == XKB_KEY_Up && line_start() == 0) return move(0, shift);
      if (keysym == XKB_KEY_Down && line_end() == text.size()) return move(text.size(), shift);
      const std::size_t old_anchor = anchor;
      caret = keysym == XKB_KEY_Up ? line_start() - 1 : line_end() + 1;
      const std::size_t start = line_start();
      caret = start;
      caret = std::min(start + column, line_end());
      anchor = shift ? old_anchor : caret;
      return;
    }
    case XKB_KEY_Tab:
    case XKB_KEY_Insert:
    case XKB_KEY_Page_Up:
    case XKB_KEY_Page_Down: return insert(kUnknown);
    default: return;
  }
}

void TextWindow::type(std::string_view text) {
  const std::u32string characters =
      characters_of(text.size() > kMaxBytes ? text.substr(text.size() - kMaxBytes) : text);
  for (Reading& reading : readings_) {
    for (const char32_t c : characters) {
      const std::uint32_t keysym = is_line_end(c) ? static_cast<std::uint32_t>(XKB_KEY_Return) : 0U;
      if (!reading.compose(keysym, c, false, false)) reading.insert(c);
    }
    reading.limit();
  }
}

void TextWindow::press(const Chord& chord) {
  bool ctrl = false;
  bool shift = false;
  bool alt = false;
  bool other = false;
  std::vector<std::uint32_t> keys;
  for (const Key& key : chord.keys) {
    if (is_ctrl(key.keysym)) {
      ctrl = true;
    } else if (is_shift(key.keysym)) {
      shift = true;
    } else if (is_alt(key.keysym)) {
      alt = true;
    } else if (is_other_modifier(key.keysym)) {
      other = true;
    } else {
      keys.push_back(without_keypad(key.keysym));
    }
  }
  for (std::uint32_t keysym : keys) {
    if (ctrl && keysym >= XKB_KEY_A && keysym <= XKB_KEY_Z) keysym += XKB_KEY_a - XKB_KEY_A;
    char32_t character = xkb_keysym_to_utf32(keysym);
    const bool makes_text = character >= 0x20 && character != 0x7f && !ctrl && !alt && !other;
    if (shift) character = shifted(character);
    for (Reading& reading : readings_) {
      if (reading.compose(keysym, character, ctrl, shift)) continue;
      if (makes_text) {
        reading.insert(character);
      } else {
        reading.edit(keysym, ctrl, alt, shift);
      }
      reading.limit();
    }
  }
}

std::string TextWindow::text() const {
  std::string out;
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const Reading& reading = readings_[i];
    const auto same = [&](const Reading& earlier) { return earlier.text == reading.text; };
    if (std::any_of(readings_.begin(), readings_.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    if (!out.empty()) out += "\n\n";
    append(out, reading.text, 0);
    // A completion may have ended a word, or brought nothing; so may a tab that was typed.
    const std::size_t start = reading.kind == Reading::Kind::editor ? 0 : reading.floor;
    const std::u32string_view open = std::u32string_view(reading.text).substr(std::min(start, reading.text.size()));
    if (open.find(kUnknown) != std::u32string_view::npos) {
      out += "\n\n";
      append(out, open, U' ');
    }
    if (open.find(U'\t') != std::u32string_view::npos) {
      std::u32string joined(open);
      std::erase(joined, U'\t');
      out += "\n\n";
      append(out, joined, 0);
    }
  }
  return out;
}

}  // namespace handrail::policy

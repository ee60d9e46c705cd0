#include "platform/x11/clipboard_text.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace handrail::x11 {

bool is_plain_text(std::string_view mime) {
  std::string word;
  for (const char c : mime) {
    if (c == ' ' || c == '"') continue;
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return word == "text/plain" || word == "text/plain;charset=utf-8" || word == "text/plain;charset=utf8";
}

bool is_text_target(std::string_view target) {
  constexpr std::array<std::string_view, 3> names{"UTF8_STRING", "STRING", "TEXT"};
  return std::ranges::find(names, target) != names.end();
}

std::string without_controls(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    const auto next = i + 1 < utf8.size() ? static_cast<unsigned char>(utf8[i + 1]) : 0;
    if (c == 0xc2 && next >= 0x80 && next <= 0x9f) {  // C1 in UTF-8
      ++i;
      continue;
    }
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) continue;
    out += utf8[i];
  }
  return out;
}

std::string to_latin1(std::string_view utf8) {
  const auto characters = decode_utf8(utf8);
  if (!characters.ok()) return std::string(utf8);
  std::string out;
  out.reserve(characters->size());
  for (const char32_t c : *characters) out += c <= 0xff ? static_cast<char>(static_cast<unsigned char>(c)) : '?';
  return out;
}

std::string from_latin1(std::string_view latin1) {
  std::string out;
  out.reserve(latin1.size());
  for (const char c : latin1) out += encode_utf8(static_cast<unsigned char>(c));
  return out;
}

}  // namespace handrail::x11

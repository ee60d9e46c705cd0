#include "base/one_line.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/utf8.h"

namespace handrail {
namespace {

// Of the character at the front; 0 when there is none.
std::size_t length_of(std::string_view bytes) {
  for (std::size_t length = 1; length <= 4 && length <= bytes.size(); ++length) {
    if (decode_utf8(bytes.substr(0, length)).ok()) return length;
  }
  return 0;
}

// Controls, ends of lines and paragraphs, and what turns the direction of text or has no width.
bool unfit(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || c == 0x200b || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

std::string escaped(char32_t c) {
  switch (c) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c));
  }
}

std::string told(std::string_view text, bool in_quotes) {
  std::string line;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    // Most of all text is plain.
    const std::size_t length = first < 0x80 ? 1 : length_of(text);
    if (length == 0) {
      line += fmt::format("\\x{:02x}", first);
    } else if (const char32_t c = first < 0x80 ? first : decode_utf8(text.substr(0, length)).value()[0]; unfit(c)) {
      line += escaped(c);
    } else {
      if (in_quotes && (c == '\'' || c == '\\')) line += '\\';
      line += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

}  // namespace

std::string one_line(std::string_view text) { return told(text, false); }

std::string quoted(std::string_view text, std::size_t max_bytes) {
  return "'" + told(shortened(text, max_bytes), true) + "'";
}

}  // namespace handrail

#include "platform/atspi/told_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace handrail::atspi {
namespace {

// How many bytes the character at the front has; 0 when there is none.
std::size_t length_of(std::string_view bytes) {
  for (std::size_t length = 1; length <= 4 && length <= bytes.size(); ++length) {
    if (decode_utf8(bytes.substr(0, length)).ok()) return length;
  }
  return 0;
}

bool control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7f;
  // U+0080 to U+009F.
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

std::string told_text(std::string_view bytes, std::size_t most, bool lines) {
  std::string text;
  for (std::size_t count = 0; !bytes.empty() && count < most; ++count) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    // Most of all text is plain.
    const std::size_t length = first < 0x80 ? 1 : length_of(bytes);
    const std::string_view character = bytes.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0) {
      text += encode_utf8(U'\ufffd');
    } else if (control(character) && !(lines && (first == '\n' || first == '\t'))) {
      text += ' ';
    } else {
      text += character;
    }
    bytes.remove_prefix(character.size());
  }
  return text;
}

}  // namespace handrail::atspi

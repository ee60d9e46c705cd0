#include "base/utf8.h"

#include <fmt/format.h>

namespace handrail {
namespace {

constexpr bool is_scalar(char32_t c) { return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff); }

// How many bytes follow a lead byte, and the smallest character that needs as many.
struct Form {
  std::size_t more = 0;
  char32_t bits = 0;
  char32_t smallest = 0;
};

constexpr bool read_lead(unsigned char lead, Form& form) {
  if (lead < 0x80) return form = {0, lead, 0}, true;
  if (lead >= 0xc2 && lead < 0xe0) return form = {1, lead & 0x1fu, 0x80}, true;
  if (lead >= 0xe0 && lead < 0xf0) return form = {2, lead & 0x0fu, 0x800}, true;
  if (lead >= 0xf0 && lead < 0xf5) return form = {3, lead & 0x07u, 0x10000}, true;
  return false;
}

}  // namespace

Result<std::u32string> decode_utf8(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto invalid = [&] {
      return make_error(Code::argument_invalid, fmt::format("The text is not UTF-8 at byte {}.", i));
    };
    Form form;
    if (!read_lead(static_cast<unsigned char>(text[i]), form) || i + form.more >= text.size()) return invalid();
    char32_t c = form.bits;
    for (std::size_t k = 1; k <= form.more; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xc0) != 0x80) return invalid();
      c = c << 6 | (byte & 0x3fu);
    }
    if (c < form.smallest || !is_scalar(c)) return invalid();
    out.push_back(c);
    i += form.more + 1;
  }
  return out;
}

std::string encode_utf8(char32_t character) {
  const char32_t c = is_scalar(character) ? character : U'\ufffd';
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
}

}  // namespace handrail

#include "policy/skeleton.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

namespace handrail::policy {
namespace {

constexpr char kKeep = 0;  // a foreign character
constexpr char kDrop = 1;  // invisible

struct Lookalikes {
  char ascii;
  std::u16string_view characters;
};

// Letters of other scripts, letter-like symbols and punctuation that pass for ASCII in most fonts.
constexpr Lookalikes kLookalikes[] = {
    {'a', u"\u0430\u03b1\u1d00\u1d43\u2090\u00aa\u0251"},
    {'b', u"\u042c\u044c\u0432\u1d2e\u1d47\u0299"},
    {'c', u"\u0441\u03f2\u1d04\u1d9c\u217d"},
    {'d', u"\u0501\u1d05\u1d48\u217e"},
    {'e', u"\u0435\u1d07\u1d49\u2091\u212e\u212f\u04bd"},
    {'f', u"\ua730\u1da0\u017f\u0192\u0584"},
    {'g', u"\u0261\u0262\u1d4d\u0581\u210a"},
    {'h', u"\u04bb\u029c\u02b0\u2095\u210e\u0570"},
    {'i', u"\u0456\u03b9\u026a\u1d62\u2071\u2170\u2139\u0131"},
    {'j', u"\u0458\u1d0a\u02b2\u2c7c\u03f3"},
    {'k', u"\u043a\u03ba\u1d0b\u1d4f\u2096"},
    {'l', u"\u04cf\u029f\u02e1\u2097\u217c\u2113"},
    {'m', u"\u043c\u1d0d\u1d50\u2098\u217f"},
    {'n', u"\u0578\u0274\u207f\u2099\u03b7\u043f"},
    {'o', u"\u043e\u03bf\u1d0f\u1d52\u2092\u00ba\u2134\u0585"},
    {'p', u"\u0440\u03c1\u1d18\u1d56\u209a"},
    {'q', u"\u051b\u0566"},
    {'r', u"\u0433\u0280\u02b3\u1d63\u1d26"},
    {'s', u"\u0455\ua731\u02e2\u209b"},
    {'t', u"\u0442\u1d1b\u1d57\u209c\u03c4"},
    {'u', u"\u03c5\u1d1c\u1d58\u1d64\u057d"},
    {'v', u"\u0475\u03bd\u1d20\u1d5b\u1d65\u2174"},
    {'w', u"\u0461\u051d\u1d21\u02b7"},
    {'x', u"\u0445\u03c7\u02e3\u2093\u2179\u00d7"},
    {'y', u"\u0443\u03b3\u028f\u02b8\u04af"},
    {'z', u"\u1d22\u1dbb"},
    {'A', u"\u0410\u0391\u1d2c"},
    {'B', u"\u0412\u0392"},
    {'C', u"\u0421\u03f9\u216d\u2102"},
    {'D', u"\u216e"},
    {'E', u"\u0415\u0395"},
    {'F', u"\u03dc"},
    {'H', u"\u041d\u0397"},
    {'I', u"\u0406\u0399\u2160"},
    {'J', u"\u0408"},
    {'K', u"\u041a\u039a\u212a"},
    {'L', u"\u216c"},
    {'M', u"\u041c\u039c\u216f"},
    {'N', u"\u039d\u2115"},
    {'O', u"\u041e\u039f"},
    {'P', u"\u0420\u03a1\u2119"},
    {'R', u"\u211d\u211c\u211b"},
    {'S', u"\u0405"},
    {'T', u"\u0422\u03a4"},
    {'V', u"\u2164"},
    {'X', u"\u0425\u03a7\u2169"},
    {'Y', u"\u0423\u03a5\u04ae"},
    {'Z', u"\u0396\u2124"},
    {'-', u"\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\u02d7\u207b\u208b\u30fc"},
    {'/', u"\u2044\u2215\u29f8\u2571"},
    {'\\', u"\u2216\ufe68\u29f5\u29f9"},
    {'|', u"\u2223\u2502\u01c0\u23d0\u2758\uffe8\ufe31"},
    {'\'', u"\u2018\u2019\u201a\u201b\u2032\u02bc"},
    {'"', u"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"},
    {';', u"\u037e\ufe54"},
    {':', u"\ufe55\u02d0\ua789\u2236"},
    {'&', u"\ufe60"},
    {'*', u"\u2217\ufe61\u204e\u2731"},
    {'>', u"\u203a\ufe65"},
    {'<', u"\u2039\ufe64"},
    {'=', u"\ufe66"},
    {'$', u"\ufe69"},
    {'~', u"\u223c\u02dc"},
    {'(', u"\u207d\u208d\ufe59"},
    {')', u"\u207e\u208e\ufe5a"},
    {'{', u"\ufe5b"},
    {'}', u"\ufe5c"},
    {'.', u"\u2024\ufe52"},
    {' ', u"\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2800"},
    {'\n', u"\u0085\u2028\u2029"},
};

struct Range {
  char16_t first;
  char16_t last;
};

// Zero width, direction marks, soft hyphen, fillers, variation selectors, combining marks.
constexpr Range kInvisible[] = {
    {0x00ad, 0x00ad}, {0x0300, 0x036f}, {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0x20d0, 0x20ff},
    {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}};

using Plane = std::array<char, 0x10000>;

std::unique_ptr<const Plane> make_plane() {
  auto plane = std::make_unique<Plane>();
  plane->fill(kKeep);
  for (const Lookalikes& row : kLookalikes) {
    for (const char16_t c : row.characters) (*plane)[c] = row.ascii;
  }
  for (const Range& range : kInvisible) {
    for (std::uint32_t c = range.first; c <= range.last; ++c) (*plane)[c] = kDrop;
  }
  for (std::uint32_t c = 0xff01; c <= 0xff5e; ++c) (*plane)[c] = static_cast<char>(c - 0xff01 + '!');  // full width
  for (std::uint32_t i = 0; i < 26; ++i) {
    (*plane)[0x24b6 + i] = static_cast<char>('A' + i);  // circled
    (*plane)[0x24d0 + i] = static_cast<char>('a' + i);
    (*plane)[0x249c + i] = static_cast<char>('a' + i);  // in parentheses
  }
  return plane;
}

const Plane& plane() {
  static const std::unique_ptr<const Plane> made = make_plane();
  return *made;
}

char beyond_plane(std::uint32_t c) {
  // Mathematical alphabets: 13 of 52 letters, then digits.
  if (c >= 0x1d400 && c <= 0x1d6a3) {
    const std::uint32_t letter = (c - 0x1d400) % 52;
    return static_cast<char>(letter < 26 ? 'A' + letter : 'a' + letter - 26);
  }
  if (c >= 0x1d7ce && c <= 0x1d7ff) return static_cast<char>('0' + (c - 0x1d7ce) % 10);
  if (c >= 0x1f130 && c <= 0x1f149) return static_cast<char>('a' + (c - 0x1f130));  // squared
  if (c >= 0xe0000 && c <= 0xe0fff) return kDrop;                                   // tags, selectors
  return kKeep;
}

// How a byte begins: 0 copies itself, 1 is a control character, 2 a line end, 3 a part of something longer.
enum : std::uint8_t { kPlain, kControl, kLineEnd, kLong };
constexpr std::array<std::uint8_t, 256> make_starts() {
  std::array<std::uint8_t, 256> starts{};
  for (std::size_t c = 0; c < 256; ++c) {
    if (c < 0x20 || c == 0x7f) starts[c] = kControl;
    if (c >= 0x80) starts[c] = kLong;
  }
  starts['\t'] = starts['\n'] = kPlain;
  starts['\r'] = starts['\v'] = starts['\f'] = kLineEnd;
  return starts;
}
constexpr std::array<std::uint8_t, 256> kStarts = make_starts();

// A loop of fixed length without branches, which compilers turn into a few wide instructions.
constexpr std::size_t kBlock = 64;
bool is_plain_block(const char* at) {
  std::uint8_t other = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const auto c = static_cast<std::uint8_t>(at[i]);
    const bool printable = static_cast<std::uint8_t>(c - 0x20U) < 0x5fU;
    other = static_cast<std::uint8_t>(other | !(printable | (c == '\n') | (c == '\t')));
  }
  return other == 0;
}

// How much of the text, from its start, is its own skeleton.
std::size_t plain_start(std::string_view text) {
  std::size_t i = 0;
  while (text.size() - i >= kBlock && is_plain_block(text.data() + i)) i += kBlock;
  while (i < text.size() && kStarts[static_cast<std::uint8_t>(text[i])] == kPlain) ++i;
  return i;
}

// The character at `at`, which is past ASCII, and how many bytes it has; 1 byte and 0 when it is no UTF-8.
struct Decoded {
  std::uint32_t character;
  std::size_t bytes;
};
Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < text.size() ? static_cast<std::uint8_t>(text[at + i]) : 0U;
  };
  const auto more = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  const std::uint32_t b = byte(0);
  if (b >= 0xc2 && b < 0xe0 && more(1)) return {((b & 0x1fU) << 6) | (byte(1) & 0x3fU), 2};
  if (b >= 0xe0 && b < 0xf0 && more(1) && more(2)) {
    return {((b & 0x0fU) << 12) | ((byte(1) & 0x3fU) << 6) | (byte(2) & 0x3fU), 3};
  }
  if (b >= 0xf0 && b < 0xf5 && more(1) && more(2) && more(3)) {
    return {((b & 0x07U) << 18) | ((byte(1) & 0x3fU) << 12) | ((byte(2) & 0x3fU) << 6) | (byte(3) & 0x3fU), 4};
  }
  return {0, 1};
}

}  // namespace

Skeleton skeleton_of(std::string_view text) {
  Skeleton skeleton;
  std::size_t i = plain_start(text);
  if (i == text.size()) {
    skeleton.text = text;
    return skeleton;
  }
  skeleton.own = std::make_unique_for_overwrite<char[]>(text.size());  // never grows
  std::memcpy(skeleton.own.get(), text.data(), i);
  char* to = skeleton.own.get() + i;
  const Plane& folds = plane();
  while (i < text.size()) {
    // Most of any text is copied as it is.
    while (text.size() - i >= kBlock && is_plain_block(text.data() + i)) {
      std::memcpy(to, text.data() + i, kBlock);
      to += kBlock;
      i += kBlock;
    }
    const std::size_t end = std::min(text.size(), i + kBlock);
    while (i < end) {
      const auto byte = static_cast<std::uint8_t>(text[i]);
      const std::uint8_t start = kStarts[byte];
      if (start == kPlain) {
        *to++ = text[i++];
        continue;
      }
      if (start == kLineEnd) {
        *to++ = '\n';
        ++i;
        continue;
      }
      if (start == kControl) {
        skeleton.control = true;
        ++i;
        continue;
      }
      const Decoded decoded = decode(text, i);
      i += decoded.bytes;
      // Controls of the upper half, but for the line end among them.
      if (decoded.character >= 0x80 && decoded.character < 0xa0 && decoded.character != 0x85) skeleton.control = true;
      const char fold = decoded.character < 0x10000 ? folds[decoded.character] : beyond_plane(decoded.character);
      if (fold == kDrop) continue;
      *to++ = fold == kKeep ? kForeign : fold;
    }
  }
  skeleton.text = {skeleton.own.get(), static_cast<std::size_t>(to - skeleton.own.get())};
  return skeleton;
}

}  // namespace handrail::policy

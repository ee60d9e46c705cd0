#include "platform/x11/clipboard_image.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

namespace handrail::x11 {
namespace {

struct Claim {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
};

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t big(std::size_t at, std::size_t count) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value << 8 | byte(at + i);
    return value;
  }
  std::uint64_t little(std::size_t at, std::size_t count) const {
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | byte(at + i);
    return value;
  }
  std::uint64_t byte(std::size_t at) const { return at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0; }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

// The first frame header among the segments.
std::optional<Claim> jpeg_claim(const Bytes& bytes) {
  for (std::size_t at = 2; at + 9 < bytes.size();) {
    if (bytes.byte(at) != 0xff) return {};
    const std::uint64_t marker = bytes.byte(at + 1);
    if (marker == 0xff) {  // filling
      ++at;
      continue;
    }
    const bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) return Claim{bytes.big(at + 7, 2), bytes.big(at + 5, 2)};
    at += 2 + static_cast<std::size_t>(bytes.big(at + 2, 2));
  }
  return {};
}

std::uint64_t magnitude(std::uint64_t word) {
  return word > 0x7fffffff ? 0x100000000 - word : word;  // a BMP whose rows go down has a negative height
}

std::optional<Claim> claim_of(std::string_view image) {
  const Bytes bytes(image);
  if (image.starts_with("\x89PNG\r\n\x1a\n")) return Claim{bytes.big(16, 4), bytes.big(20, 4)};
  if (image.starts_with("GIF8")) return Claim{bytes.little(6, 2), bytes.little(8, 2)};
  if (image.starts_with("BM")) return Claim{magnitude(bytes.little(18, 4)), magnitude(bytes.little(22, 4))};
  if (image.starts_with("\xff\xd8")) return jpeg_claim(bytes);
  return {};
}

}  // namespace

Status check_image_size(std::string_view bytes) {
  const auto claim = claim_of(bytes);
  if (!claim || claim->height == 0 || claim->width <= kMaxImagePixels / claim->height) return {};
  return make_error(Code::too_large,
                    fmt::format("The image in the clipboard claims {}x{} pixels.", claim->width, claim->height))
      .with_hint("Ask for another format, or copy a smaller part.");
}

}  // namespace handrail::x11

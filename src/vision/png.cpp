#include "vision/png.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace handrail::vision {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kStripRows = 48;  // a strip's tokens stay in the second-level cache
constexpr std::uint8_t kSub = 1;
constexpr std::uint8_t kUp = 2;
constexpr std::size_t kSlack = 4;  // pixels that vector code may touch behind a row
constexpr std::uint32_t kColour = 0x00FFFFFF;

std::uint32_t pixel_at(const std::uint8_t* row, std::size_t x) {
  std::uint32_t pixel = 0;
  std::memcpy(&pixel, row + x * 4, 4);
  return pixel;
}

// Each byte of `a` minus that of `b`, without borrowing between them.
std::uint32_t subtract_bytes(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kHigh = 0x80808080;
  return ((a | kHigh) - (b & ~kHigh)) ^ ((a ^ ~b) & kHigh);
}

// row - reference, colour bytes only.
void difference(const std::uint8_t* row, const std::uint8_t* reference, std::size_t width, std::uint32_t* out) {
  std::size_t x = 0;
#if defined(__x86_64__)
  const __m128i colour = _mm_set1_epi32(static_cast<int>(kColour));
  for (; x + 4 <= width; x += 4) {
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + x * 4));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(reference + x * 4));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + x), _mm_and_si128(_mm_sub_epi8(a, b), colour));
  }
#endif
  for (; x < width; ++x) out[x] = subtract_bytes(pixel_at(row, x), pixel_at(reference, x)) & kColour;
}

// Red, green, blue bytes; writes one byte past the last pixel.
void pack(const std::uint32_t* pixels, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i, out += 3) {
    const std::uint32_t bytes = __builtin_bswap32(pixels[i]) >> 8;
    std::memcpy(out, &bytes, 4);
  }
}

void put32(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

// The checksum of two runs of bytes one after the other, from that of each (as zlib's combine does).
std::uint32_t join_adler(std::uint32_t first, std::uint32_t second, std::size_t second_length) {
  constexpr std::uint64_t kBase = 65521;
  const std::uint64_t a1 = first & 0xFFFF, b1 = first >> 16, a2 = second & 0xFFFF, b2 = second >> 16;
  const std::uint64_t length = second_length % kBase;
  const std::uint64_t a = (a1 + a2 + kBase - 1) % kBase;
  const std::uint64_t b = (b1 + b2 + length * ((a1 + kBase - 1) % kBase)) % kBase;
  return static_cast<std::uint32_t>(b << 16 | a);
}

template <class Body>
void chunk(Bytes& out, const char (&type)[5], Body body) {
  const std::size_t length_at = out.size();
  put32(out, 0);
  out.insert(out.end(), type, type + 4);
  body();
  const auto length = static_cast<std::uint32_t>(out.size() - length_at - 8);
  for (std::size_t i = 0; i < 4; ++i) out[length_at + i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
  put32(out, libdeflate_crc32(0, out.data() + length_at + 4, length + std::size_t{4}));
}

}  // namespace

void PngEncoder::make_part(const Rows& rows, int from, int to, Lane& lane, Part& part) {
  const auto width = static_cast<std::size_t>(rows.size().width);
  const auto count = static_cast<std::size_t>(to - from);
  const Strip strip = rows.strip(from, to, lane.memory);
  lane.filtered.resize(width + kSlack);
  const std::size_t row_length = 1 + width * 3;
  part.length = row_length * count;
  lane.plain.resize(part.length + 1);
  lane.deflater.begin(width * count, count);
  for (std::size_t y = 0; y < count; ++y) {
    const std::uint8_t* row = strip.row(static_cast<int>(y));
    // The first row of a strip refers to nothing above it, so that strips need not wait for each other.
    const std::uint8_t filter = y == 0 ? kSub : kUp;
    if (y == 0) {
      lane.filtered[0] = pixel_at(row, 0) & kColour;
      difference(row + 4, row, width - 1, lane.filtered.data() + 1);
    } else {
      difference(row, strip.row(static_cast<int>(y) - 1), width, lane.filtered.data());
    }
    lane.deflater.row(filter, lane.filtered.data(), width);
    std::uint8_t* plain = lane.plain.data() + y * row_length;
    *plain = filter;
    pack(lane.filtered.data(), width, plain + 1);
  }
  part.block.clear();
  lane.deflater.finish(part.block);
  part.adler = libdeflate_adler32(1, lane.plain.data(), part.length);
}

void PngEncoder::encode(const Rows& rows, Bytes& out) {
  const Size size = rows.size();
  const int count = (size.height + kStripRows - 1) / kStripRows;
  parts_.resize(std::max(parts_.size(), static_cast<std::size_t>(count)));
  share(count, [&](int part, int lane) {
    const int from = part * kStripRows;
    make_part(rows, from, std::min(size.height, from + kStripRows), lanes_[static_cast<std::size_t>(lane)],
              parts_[static_cast<std::size_t>(part)]);
  });

  out.assign({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
  chunk(out, "IHDR", [&] {
    put32(out, static_cast<std::uint32_t>(size.width));
    put32(out, static_cast<std::uint32_t>(size.height));
    out.insert(out.end(), {8, 2, 0, 0, 0});  // 8 bit, red green blue, the only compression and filter, no interlace
  });
  chunk(out, "IDAT", [&] {
    std::size_t total = 0;
    for (int i = 0; i < count; ++i) total += parts_[static_cast<std::size_t>(i)].block.size();
    out.reserve(out.size() + total + 64);
    out.insert(out.end(), {0x78, 0x01});
    std::uint32_t adler = 1;
    for (int i = 0; i < count; ++i) {
      const Part& part = parts_[static_cast<std::size_t>(i)];
      out.insert(out.end(), part.block.begin(), part.block.end());
      adler = join_adler(adler, part.adler, part.length);
    }
    out.insert(out.end(), std::begin(kLastBlock), std::end(kLastBlock));
    put32(out, adler);
  });
  chunk(out, "IEND", [] {});
}

}  // namespace handrail::vision

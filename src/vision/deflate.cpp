#include "vision/deflate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "vision/huffman.h"

namespace handrail::vision {
namespace {

// Tokens: a pixel is its 24 bits; a run has its number of pixels; a filter byte is by itself.
constexpr std::uint32_t kRun = 0x80000000;
constexpr std::uint32_t kFilter = 0x40000000;
constexpr std::uint32_t kMostRun = 86;  // 258 bytes, the longest match

constexpr std::size_t kLiterals = 286;
constexpr std::size_t kEndOfBlock = 256;
constexpr std::size_t kDistance3 = 2;
// 12 bits: three codes, or a length with its extra bits and distance, go in one 64 bit step.
constexpr int kLongestCode = 12;

struct LengthCode {
  std::uint16_t symbol;
  std::uint8_t extra_bits;
  std::uint8_t extra;
};

// Match lengths 3..258 by RFC 1951, 3.2.5.
constexpr std::array<LengthCode, 259> kLengthCodes = [] {
  std::array<LengthCode, 259> table{};
  std::size_t length = 3;
  for (unsigned symbol = 257; symbol < 285; ++symbol) {
    const unsigned bits = symbol < 265 ? 0 : (symbol - 261) / 4;
    for (unsigned extra = 0; extra < (1U << bits) && length < 258; ++extra, ++length) {
      table[length] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(bits),
                       static_cast<std::uint8_t>(extra)};
    }
  }
  table[258] = {285, 0, 0};
  return table;
}();

class BitWriter {
 public:
  explicit BitWriter(std::uint8_t* to) : begin_(to), to_(to) {}

  void put(std::uint64_t bits, int count) {
    pending_ |= bits << count_;
    count_ += count;
  }
  void put(PrefixCode code) { put(code.bits, code.length); }
  // At most 56 bits may be put between two calls.
  void flush() {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(to_, &pending_, sizeof pending_);
    const int whole = count_ / 8;
    to_ += whole;
    pending_ >>= whole * 8;
    count_ -= whole * 8;
  }
  void align() {
    flush();
    if (count_ > 0) put(0, 8 - count_);
    flush();
  }
  std::size_t size() const { return static_cast<std::size_t>(to_ - begin_); }

 private:
  std::uint8_t* begin_;
  std::uint8_t* to_;
  std::uint64_t pending_ = 0;
  int count_ = 0;
};

// How the code lengths themselves are sent: runs of zeros are folded, other lengths go singly.
void put_code_lengths(BitWriter& writer, std::span<const std::uint8_t> lengths) {
  struct Item {
    std::uint8_t symbol, extra_bits, extra;
  };
  std::vector<Item> items;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t zeros = 0;
    while (i + zeros < lengths.size() && lengths[i + zeros] == 0 && zeros < 138) ++zeros;
    if (zeros >= 11) {
      items.push_back({18, 7, static_cast<std::uint8_t>(zeros - 11)});
    } else if (zeros >= 3) {
      items.push_back({17, 3, static_cast<std::uint8_t>(zeros - 3)});
    } else {
      items.push_back({lengths[i], 0, 0});
      zeros = 1;
    }
    i += zeros;
  }
  std::array<std::uint32_t, 19> frequencies{};
  for (const Item& item : items) ++frequencies[item.symbol];
  std::array<PrefixCode, 19> codes;
  make_codes(frequencies, 7, codes);
  static constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15};
  writer.put(kOrder.size() - 4, 4);
  for (const std::uint8_t symbol : kOrder) {
    writer.put(codes[symbol].length, 3);
    writer.flush();
  }
  for (const Item& item : items) {
    writer.put(codes[item.symbol]);
    writer.put(item.extra, item.extra_bits);
    writer.flush();
  }
}

// How many pixels from `at` on equal the one before it.
std::size_t run_length(const std::uint32_t* at, const std::uint32_t* end) {
  const std::uint32_t* const begin = at;
  const std::uint32_t same = at[-1];
#if defined(__x86_64__)
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(same));
  for (; at < end; at += 4) {
    const __m128i equal = _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), wanted);
    const auto differ = static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(equal))) ^ 0xFU;
    if (differ != 0) {
      at += std::countr_zero(differ);
      break;
    }
  }
  return static_cast<std::size_t>(std::min(at, end) - begin);
#else
  while (at < end && *at == same) ++at;
  return static_cast<std::size_t>(at - begin);
#endif
}

}  // namespace

void StripDeflater::begin(std::size_t pixels, std::size_t rows) {
  if (tokens_.size() < pixels + rows) tokens_.resize(pixels + rows);
  used_ = 0;
  frequencies_.assign(kLiterals, 0);
}

void StripDeflater::run(std::uint32_t pixels) {
  for (; pixels > 0; pixels -= std::min(pixels, kMostRun)) {
    const std::uint32_t piece = std::min(pixels, kMostRun);
    ++frequencies_[kLengthCodes[piece * 3].symbol];
    tokens_[used_++] = kRun | piece;
  }
}

void StripDeflater::row(std::uint8_t filter, const std::uint32_t* pixels, std::size_t count) {
  ++frequencies_[filter];
  tokens_[used_++] = kFilter | filter;
  const std::uint32_t* const end = pixels + count;
  for (const std::uint32_t* at = pixels; at < end;) {
    if (at != pixels && *at == at[-1]) {
      const std::size_t length = run_length(at, end);
      run(static_cast<std::uint32_t>(length));
      at += length;
      continue;
    }
    ++frequencies_[*at >> 16 & 0xFF];
    ++frequencies_[*at >> 8 & 0xFF];
    ++frequencies_[*at & 0xFF];
    tokens_[used_++] = *at++;
  }
}

void StripDeflater::finish(std::vector<std::uint8_t>& out) {
  ++frequencies_[kEndOfBlock];
  std::array<PrefixCode, kLiterals> codes;
  make_codes(frequencies_, kLongestCode, codes);

  const std::size_t before = out.size();
  // A token takes at most 36 bits; the header with its lengths, the closing marker and the writer's
  // eight byte steps are covered by the constant.
  out.resize(before + used_ * 9 / 2 + 1024);
  BitWriter writer(out.data() + before);
  writer.put(0, 1);  // not the last block
  writer.put(2, 2);  // dynamic codes
  writer.put(kLiterals - 257, 5);
  writer.put(kDistance3, 5);  // distances 1, 2 and 3; only the last is used
  std::array<std::uint8_t, kLiterals + kDistance3 + 1> lengths{};
  for (std::size_t i = 0; i < kLiterals; ++i) lengths[i] = codes[i].length;
  lengths.back() = 1;
  put_code_lengths(writer, lengths);

  for (std::size_t i = 0; i < used_; ++i) {
    const std::uint32_t token = tokens_[i];
    if (token & kRun) {
      const LengthCode& length = kLengthCodes[(token & ~kRun) * 3];
      writer.put(codes[length.symbol]);
      writer.put(length.extra, length.extra_bits + 1);  // and the distance, whose only code is one 0
    } else if (token & kFilter) {
      writer.put(codes[token & 0xFF]);
    } else {
      writer.put(codes[token >> 16]);
      writer.put(codes[token >> 8 & 0xFF]);
      writer.put(codes[token & 0xFF]);
    }
    writer.flush();
  }
  writer.put(codes[kEndOfBlock]);
  writer.put(0, 3);  // an empty stored block brings the stream to a byte boundary
  writer.align();
  writer.put(0xFFFF0000, 32);
  writer.flush();
  out.resize(before + writer.size());
}

}  // namespace handrail::vision

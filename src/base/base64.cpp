#include "base/base64.h"

#include <fmt/format.h>

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace handrail {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xFF;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNone);
  for (std::uint8_t i = 0; i < 64; ++i) values[static_cast<std::uint8_t>(kAlphabet[i])] = i;
  return values;
}();

#if defined(__x86_64__)
#define TARGET_AVX2 __attribute__((target("avx2")))

// 24 bytes to 32 characters a step (after W. Mula and D. Lemire, "Faster Base64 Encoding and Decoding
// Using AVX2 Instructions"). Returns how many bytes it has taken, a multiple of 3.
TARGET_AVX2 std::size_t encode_avx2(const std::uint8_t* from, std::size_t size, char* to) {
  // Each group of three bytes b0 b1 b2 becomes the 32 bit lane [b1 b0 b2 b1].
  const __m256i spread = _mm256_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10,  //
                                          1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
  // What to add to a six bit value to get its character, by range: a-z, ten digits, + and /, A-Z.
  const __m256i offsets = _mm256_setr_epi8(71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 65, 0, 0,  //
                                           71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -19, -16, 65, 0, 0);
  std::size_t taken = 0;
  // The second load reads 4 bytes more than it uses.
  for (; taken + 28 <= size; taken += 24, to += 32) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + taken));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + taken + 12));
    const __m256i in = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), spread);
    const __m256i first_third =
        _mm256_mulhi_epu16(_mm256_and_si256(in, _mm256_set1_epi32(0x0FC0FC00)), _mm256_set1_epi32(0x04000040));
    const __m256i second_fourth =
        _mm256_mullo_epi16(_mm256_and_si256(in, _mm256_set1_epi32(0x003F03F0)), _mm256_set1_epi32(0x01000010));
    const __m256i values = _mm256_or_si256(first_third, second_fourth);
    const __m256i beyond_lower = _mm256_subs_epu8(values, _mm256_set1_epi8(51));
    const __m256i upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values);
    const __m256i range = _mm256_or_si256(beyond_lower, _mm256_and_si256(upper, _mm256_set1_epi8(13)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_add_epi8(values, _mm256_shuffle_epi8(offsets, range)));
  }
  return taken;
}
#endif

std::size_t encode_fast(const std::uint8_t* from, std::size_t size, char* to) {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2) return encode_avx2(from, size, to);
#endif
  (void)from, (void)size, (void)to;
  return 0;
}

void encode_to(std::span<const std::uint8_t> bytes, char* to) {
  const std::size_t whole = bytes.size() / 3 * 3;
  std::size_t i = encode_fast(bytes.data(), bytes.size(), to);
  to += i / 3 * 4;
  const auto put = [&to](unsigned value, int characters) {
    for (int k = 0; k < characters; ++k, value <<= 6) *to++ = kAlphabet[value >> 18 & 63];
  };
  for (; i < whole; i += 3) put(static_cast<unsigned>(bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2]), 4);
  if (bytes.size() - whole == 1) {
    put(static_cast<unsigned>(bytes[i] << 16), 2);
    *to++ = '=';
    *to++ = '=';
  } else if (bytes.size() - whole == 2) {
    put(static_cast<unsigned>(bytes[i] << 16 | bytes[i + 1] << 8), 3);
    *to++ = '=';
  }
}

Error invalid(std::size_t at, std::string_view what) {
  return make_error(Code::argument_invalid, fmt::format("Base64 text is wrong at character {}: {}.", at, what));
}

}  // namespace

std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

void append_base64(std::string& text, std::span<const std::uint8_t> bytes) {
  const std::size_t before = text.size();
  text.resize(before + base64_length(bytes.size()));
  encode_to(bytes, text.data() + before);
}

std::string base64_encode(std::span<const std::uint8_t> bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

Result<std::vector<std::uint8_t>> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return invalid(text.size(), "the length is not a multiple of 4");
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const std::size_t digits = text.size() - padding;

  std::vector<std::uint8_t> bytes(digits * 6 / 8);
  std::size_t filled = 0;
  unsigned pending = 0;
  int pending_bits = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t value = kValues[static_cast<std::uint8_t>(text[i])];
    if (value == kNone) return invalid(i, "it is not in the alphabet");
    pending = (pending << 6 | value) & 0xFFFF;
    pending_bits += 6;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      bytes[filled++] = static_cast<std::uint8_t>(pending >> pending_bits);
    }
  }
  if ((pending & ((1U << pending_bits) - 1)) != 0) return invalid(digits - 1, "bits after the last byte are not zero");
  return bytes;
}

}  // namespace handrail

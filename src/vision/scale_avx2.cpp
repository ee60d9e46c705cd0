#include "vision/scale_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <cstring>

#define TARGET_AVX2 __attribute__((target("avx2")))

namespace handrail::vision::kernels {

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

namespace {

TARGET_AVX2 inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

TARGET_AVX2 inline void store_half(std::uint16_t* to, __m128i half) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), half);
}

// [a0 a1 | a2 a3] and so on hold the weighed taps of one target pixel each: four pixels as 16 bytes.
TARGET_AVX2 inline __m128i finish(__m256i a, __m256i b, __m256i c, __m256i d, __m256i bias) {
  const __m256i ab = _mm256_add_epi16(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
  const __m256i cd = _mm256_add_epi16(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
  const __m256i sum =
      _mm256_add_epi16(_mm256_permute2x128_si256(ab, cd, 0x20), _mm256_permute2x128_si256(ab, cd, 0x31));
  const __m256i rounded = _mm256_srli_epi16(_mm256_adds_epu16(sum, bias), 8);
  return _mm_packus_epi16(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1));
}

// The usual case: no target pixel covers more than four source pixels.
struct OneGroup {
  const std::uint16_t* row;
  const int* first;
  const std::uint16_t* weights;
  TARGET_AVX2 __m256i operator()(int x) const {
    return _mm256_mulhi_epu16(load(row + first[x]), load(weights + static_cast<std::ptrdiff_t>(x) * 16));
  }
};

struct SeveralGroups {
  const ColumnBlend& job;
  TARGET_AVX2 __m256i operator()(int x) const {
    const std::uint16_t* pixels = job.row + job.first[x];
    const std::uint16_t* weights = job.weights + static_cast<std::ptrdiff_t>(x) * job.groups * 16;
    __m256i sum = _mm256_setzero_si256();
    for (int g = 0; g < job.groups; ++g, pixels += 16, weights += 16) {
      sum = _mm256_add_epi16(sum, _mm256_mulhi_epu16(load(pixels), load(weights)));
    }
    return sum;
  }
};

template <class Weigh>
TARGET_AVX2 inline void blend(const ColumnBlend& job, Weigh weigh) {
  const __m256i bias = _mm256_set1_epi16(static_cast<short>(job.bias));
  const int width = job.width;
  std::uint8_t* const out = job.out;
  int x = 0;
  for (; x + 4 <= width; x += 4) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + x * 4),
                     finish(weigh(x), weigh(x + 1), weigh(x + 2), weigh(x + 3), bias));
  }
  if (x == width) return;
  const auto or_last = [width](int at) { return at < width ? at : width - 1; };
  std::uint8_t rest[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(rest),
                   finish(weigh(x), weigh(or_last(x + 1)), weigh(or_last(x + 2)), weigh(or_last(x + 3)), bias));
  std::memcpy(out + x * 4, rest, static_cast<std::size_t>(width - x) * 4);
}

}  // namespace

TARGET_AVX2 void blend_rows_avx2(const RowBlend& job) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i bias = _mm256_set1_epi16(static_cast<short>(job.count / 2));
  for (int x = 0; x < job.bytes; x += 32) {
    __m256i low = bias, high = bias;
    const std::uint8_t* pixels = job.source + x;
    for (int k = 0; k < job.count; ++k, pixels += job.stride) {
      const __m256i weight = _mm256_set1_epi16(static_cast<short>(job.weights[k]));
      const __m256i value = load(pixels);
      // The byte in the upper half of a 16 bit lane is the value with 8 fractional bits.
      low = _mm256_add_epi16(low, _mm256_mulhi_epu16(_mm256_unpacklo_epi8(zero, value), weight));
      high = _mm256_add_epi16(high, _mm256_mulhi_epu16(_mm256_unpackhi_epi8(zero, value), weight));
    }
    // Unpacking works within halves; storing halves in turn restores the order without a shuffle.
    store_half(job.out + x, _mm256_castsi256_si128(low));
    store_half(job.out + x + 8, _mm256_castsi256_si128(high));
    store_half(job.out + x + 16, _mm256_extracti128_si256(low, 1));
    store_half(job.out + x + 24, _mm256_extracti128_si256(high, 1));
  }
}

TARGET_AVX2 void blend_columns_avx2(const ColumnBlend& job) {
  if (job.groups == 1) {
    blend(job, OneGroup{job.row, job.first, job.weights});
  } else {
    blend(job, SeveralGroups{job});
  }
}

}  // namespace handrail::vision::kernels

#else

namespace handrail::vision::kernels {

bool has_avx2() { return false; }
void blend_rows_avx2(const RowBlend& job) { blend_rows_portable(job); }
void blend_columns_avx2(const ColumnBlend& job) { blend_columns_portable(job); }

}  // namespace handrail::vision::kernels

#endif

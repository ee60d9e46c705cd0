#include "vision/sizing.h"

#include <algorithm>

namespace handrail::vision {
namespace {

constexpr std::int64_t kPatch = 28;
constexpr int kMinSide = 8;

struct TierRow {
  std::int64_t edge;
  std::int64_t tokens;
};

constexpr TierRow row_of(Tier tier) {
  return tier == Tier::high_resolution ? TierRow{2576, 4784} : TierRow{1568, 1568};
}

std::int64_t patches(int length) { return (length + kPatch - 1) / kPatch; }

// long_edge * numerator / denominator, halves to even, in whole numbers so that no aspect is
// rounded before the product is.
int scaled(int length, int numerator, int denominator) {
  const std::int64_t product = static_cast<std::int64_t>(length) * numerator;
  std::int64_t quotient = product / denominator;
  const std::int64_t twice_rest = 2 * (product % denominator);
  if (twice_rest > denominator || (twice_rest == denominator && quotient % 2 == 1)) ++quotient;
  return static_cast<int>(std::max<std::int64_t>(1, quotient));
}

Size with_long_edge(Size source, int long_edge) {
  if (source.width >= source.height) return {long_edge, scaled(long_edge, source.height, source.width)};
  return {scaled(long_edge, source.width, source.height), long_edge};
}

}  // namespace

std::int64_t image_tokens(Size size) { return patches(size.width) * patches(size.height); }

bool fits(Size size, Tier tier, SizeLimits limits) {
  const TierRow row = row_of(tier);
  if (limits.max_width > 0 && size.width > limits.max_width) return false;
  if (limits.max_height > 0 && size.height > limits.max_height) return false;
  if (size.width > kMaxSide || size.height > kMaxSide) return false;
  return patches(size.width) * kPatch <= row.edge && patches(size.height) * kPatch <= row.edge &&
         image_tokens(size) <= row.tokens;
}

Size fit(Size source, Tier tier, SizeLimits limits) {
  if (source.empty() || fits(source, tier, limits)) return source;
  int fitting = 1;
  int beyond = std::max(source.width, source.height);
  while (beyond - fitting > 1) {
    const int middle = fitting + (beyond - fitting) / 2;
    (fits(with_long_edge(source, middle), tier, limits) ? fitting : beyond) = middle;
  }
  return with_long_edge(source, fitting);
}

bool too_small_to_show(Size size) { return size.width < kMinSide || size.height < kMinSide; }

}  // namespace handrail::vision

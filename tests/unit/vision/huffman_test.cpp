#include "vision/huffman.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace handrail::vision {
namespace {

std::vector<PrefixCode> codes_of(const std::vector<std::uint32_t>& frequencies, int longest) {
  std::vector<PrefixCode> codes(frequencies.size());
  make_codes(frequencies, longest, codes);
  return codes;
}

TEST(Huffman, OneSymbolTakesOneBit) {
  const auto codes = codes_of({0, 5, 0}, 15);
  EXPECT_EQ(codes[0].length, 0);
  EXPECT_EQ(codes[1].length, 1);
}

TEST(Huffman, NoSymbolsNoCodes) { EXPECT_EQ(codes_of({0, 0}, 15)[0].length, 0); }

TEST(Huffman, ASkewedAlphabetKeepsToTheLimit) {
  std::vector<std::uint32_t> fibonacci{1, 1};
  while (fibonacci.size() < 30) fibonacci.push_back(fibonacci.end()[-1] + fibonacci.end()[-2]);
  const auto codes = codes_of(fibonacci, 7);
  for (const PrefixCode& code : codes) EXPECT_TRUE(code.length >= 1 && code.length <= 7);
}

RC_GTEST_PROP(Huffman, CodesFillTheSpaceExactly, ()) {
  const int longest = *rc::gen::element(9, 12, 15);
  const auto frequencies = *rc::gen::container<std::vector<std::uint32_t>>(
      *rc::gen::inRange<std::size_t>(2, 287), rc::gen::element<std::uint32_t>(0, 1, 2, 7, 100, 5000, 2000000));
  const auto codes = codes_of(frequencies, longest);
  std::uint64_t filled = 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    RC_ASSERT((codes[i].length == 0) == (frequencies[i] == 0));
    RC_ASSERT(codes[i].length <= longest);
    if (codes[i].length == 0) continue;
    ++used;
    filled += std::uint64_t{1} << (15 - codes[i].length);
  }
  if (used > 1) RC_ASSERT(filled == std::uint64_t{1} << 15);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (std::size_t k = i + 1; k < codes.size(); ++k) {
      // More frequent never means longer.
      if (frequencies[i] > frequencies[k] && frequencies[k] > 0) RC_ASSERT(codes[i].length <= codes[k].length);
      if (codes[i].length == 0 || codes[k].length == 0) continue;
      // No code begins another; codes are stored from their last bit.
      const unsigned mask = (1U << std::min(codes[i].length, codes[k].length)) - 1;
      RC_ASSERT((codes[i].bits & mask) != (codes[k].bits & mask));
    }
  }
}

}  // namespace
}  // namespace handrail::vision

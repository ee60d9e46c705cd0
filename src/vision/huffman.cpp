#include "vision/huffman.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace handrail::vision {
namespace {

constexpr std::size_t kMostSymbols = 288;
constexpr int kLongest = 15;

struct Leaf {
  std::uint32_t frequency;
  std::uint16_t symbol;
};

// Depths of the optimal tree over leaves sorted by frequency: two queues, the leaves and the nodes
// made so far, both rising. Counts how many leaves lie at each depth, those deeper than `longest` at it.
std::array<int, kLongest + 2> count_depths(std::span<const Leaf> leaves, int longest) {
  std::array<int, kLongest + 2> counts{};
  const std::size_t n = leaves.size();
  std::array<std::uint64_t, kMostSymbols> weights{};
  std::array<std::uint16_t, 2 * kMostSymbols> parents{};
  std::size_t leaf = 0, node = 0;
  for (std::size_t made = 0; made + 1 < n; ++made) {
    std::uint64_t sum = 0;
    for (int side = 0; side < 2; ++side) {
      const bool take_leaf = leaf < n && (node == made || leaves[leaf].frequency <= weights[node]);
      sum += take_leaf ? leaves[leaf].frequency : weights[node];
      parents[take_leaf ? leaf++ : n + node++] = static_cast<std::uint16_t>(n + made);
    }
    weights[made] = sum;
  }
  std::array<std::uint16_t, 2 * kMostSymbols> depths{};
  for (std::size_t i = 2 * n - 2; i-- > 0;) {
    depths[i] = static_cast<std::uint16_t>(depths[parents[i]] + 1);
    if (i < n) ++counts[static_cast<std::size_t>(std::min<int>(depths[i], longest))];
  }
  return counts;
}

// Moving too-deep leaves up to `longest` overfills the tree: push shallower leaves down until it fits.
void make_fit(std::array<int, kLongest + 2>& counts, int longest) {
  std::int64_t filled = 0;
  for (int depth = 1; depth <= longest; ++depth) {
    filled += static_cast<std::int64_t>(counts[static_cast<std::size_t>(depth)]) << (longest - depth);
  }
  const std::int64_t whole = std::int64_t{1} << longest;
  for (; filled > whole; --filled) {
    int depth = longest - 1;
    while (counts[static_cast<std::size_t>(depth)] == 0) --depth;
    --counts[static_cast<std::size_t>(longest)];
    --counts[static_cast<std::size_t>(depth)];
    counts[static_cast<std::size_t>(depth) + 1] += 2;
  }
}

std::uint16_t reversed(unsigned code, int length) {
  unsigned result = 0;
  for (int i = 0; i < length; ++i, code >>= 1) result = result << 1 | (code & 1U);
  return static_cast<std::uint16_t>(result);
}

}  // namespace

void make_codes(std::span<const std::uint32_t> frequencies, int longest, std::span<PrefixCode> codes) {
  std::fill(codes.begin(), codes.end(), PrefixCode{});
  std::array<Leaf, kMostSymbols> all{};
  std::size_t n = 0;
  for (std::size_t symbol = 0; symbol < frequencies.size(); ++symbol) {
    if (frequencies[symbol] > 0) all[n++] = {frequencies[symbol], static_cast<std::uint16_t>(symbol)};
  }
  if (n == 0) return;
  if (n == 1) {
    codes[all[0].symbol] = {0, 1};
    return;
  }
  const std::span leaves(all.data(), n);
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
    return a.frequency != b.frequency ? a.frequency < b.frequency : a.symbol < b.symbol;
  });
  auto counts = count_depths(leaves, longest);
  make_fit(counts, longest);

  std::size_t next_leaf = 0;  // the rarest get the longest codes
  for (int depth = longest; depth >= 1; --depth) {
    for (int i = 0; i < counts[static_cast<std::size_t>(depth)]; ++i) {
      codes[leaves[next_leaf++].symbol].length = static_cast<std::uint8_t>(depth);
    }
  }
  unsigned code = 0;
  for (int depth = 1; depth <= longest; ++depth, code <<= 1) {
    for (PrefixCode& entry : codes) {
      if (entry.length == depth) entry.bits = reversed(code++, depth);
    }
  }
}

}  // namespace handrail::vision

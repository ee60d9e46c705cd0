#include "vision/pixel_print.h"

#include <cstring>

namespace handrail::vision {
namespace {

std::uint64_t word_at(const std::uint8_t* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

// Several sums at a time, since each step waits for the one before it.
std::uint64_t print_of(const Frame& frame) {
  constexpr std::size_t kStep = 6 * sizeof(std::uint64_t);
  std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  const auto width = static_cast<std::size_t>(frame.width) * 4;
  for (int y = 0; y < frame.height; ++y) {
    const std::uint8_t *at = frame.row(y), *const end = at + width;
    for (; at + kStep <= end; at += kStep) {
      a = mixed(a, word_at(at));
      b = mixed(b, word_at(at + 8));
      c = mixed(c, word_at(at + 16));
      d = mixed(d, word_at(at + 24));
      e = mixed(e, word_at(at + 32));
      f = mixed(f, word_at(at + 40));
    }
    // Pixels have four bytes.
    for (; at < end; at += 4) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, at, sizeof pixel);
      a = mixed(a, pixel);
    }
  }
  std::uint64_t sum = static_cast<std::uint64_t>(frame.width) << 32 | static_cast<std::uint32_t>(frame.height);
  for (const std::uint64_t part : {a, b, c, d, e, f}) sum = mixed(sum, part);
  return sum;
}

}  // namespace handrail::vision

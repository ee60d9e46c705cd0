// Numbers that stand for pixels, to tell whether a picture is the same without keeping it. Not for what somebody may
// want to forge. Pure.
#pragma once

#include <cstdint>

#include "model/frame.h"

namespace handrail::vision {

// One more word in a running sum.
inline std::uint64_t mixed(std::uint64_t sum, std::uint64_t word, std::uint64_t factor = 0x9E3779B97F4A7C15ULL) {
  sum = (sum ^ word) * factor;
  return sum ^ sum >> 29;
}

// The same for the same size and pixels.
std::uint64_t print_of(const Frame& frame);

}  // namespace handrail::vision

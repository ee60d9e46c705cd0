// Prefix codes of limited length for DEFLATE. Pure; it knows nothing of PNG.
#pragma once

#include <cstdint>
#include <span>

namespace handrail::vision {

// A code ready to be written: DEFLATE sends prefix codes from their last bit, so `bits` is reversed.
struct PrefixCode {
  std::uint16_t bits = 0;
  std::uint8_t length = 0;  // 0: the symbol does not occur
};

// Codes for symbols by how often they occur, none longer than `longest` bits (at most 15). A single
// symbol gets one bit. At most 288 symbols, and 2^longest must not be less than their number.
void make_codes(std::span<const std::uint32_t> frequencies, int longest, std::span<PrefixCode> codes);

}  // namespace handrail::vision

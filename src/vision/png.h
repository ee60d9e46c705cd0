// PNG, 8 bit red green blue, made in strips by two threads. Sized for screens: cheap row filters and
// run coding, not the smallest file.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vision/deflate.h"
#include "vision/rows.h"
#include "vision/workers.h"

namespace handrail::vision {

// Keeps its buffers for life. One picture at a time.
class PngEncoder {
 public:
  // Replaces `out`.
  void encode(const Rows& rows, std::vector<std::uint8_t>& out);

 private:
  struct Lane {
    RowMemory memory;
    StripDeflater deflater;
    std::vector<std::uint32_t> filtered;
    std::vector<std::uint8_t> plain;  // the filtered bytes as the checksum sees them
  };
  struct Part {
    std::vector<std::uint8_t> block;
    std::uint32_t adler = 1;
    std::size_t length = 0;  // of the bytes before compression
  };

  void make_part(const Rows& rows, int from, int to, Lane& lane, Part& part);

  std::array<Lane, kLanes> lanes_;
  std::vector<Part> parts_;
};

}  // namespace handrail::vision

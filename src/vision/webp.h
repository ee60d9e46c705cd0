// Lossy WebP with the fastest method. Needs the whole picture at once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "vision/rows.h"
#include "vision/workers.h"

namespace handrail::vision {

// Keeps its buffers for life. One picture at a time.
class WebpEncoder {
 public:
  // Replaces `out`. `quality` is 1 to 100.
  Status encode(const Rows& rows, int quality, std::vector<std::uint8_t>& out);

 private:
  std::array<RowMemory, kLanes> memory_;
  std::vector<std::uint8_t> whole_;
};

}  // namespace handrail::vision

// Baseline JPEG, 4:2:0, written in strips that are compressed apart and joined with restart markers,
// so that two threads can work on one picture. Decoders see one ordinary file.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "vision/rows.h"

namespace handrail::vision {

// Keeps its buffers for life. One picture at a time.
class JpegEncoder {
 public:
  JpegEncoder();
  ~JpegEncoder();

  // Replaces `out`. `quality` is 1 to 100.
  Status encode(const Rows& rows, int quality, std::vector<std::uint8_t>& out);

 private:
  struct Lane;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::vector<std::uint8_t>> strips_;
};

}  // namespace handrail::vision

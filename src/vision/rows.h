// Where an encoder takes its rows from: a frame as it is, or one that is scaled on the way, strip by
// strip, so that a strip is encoded while it is still in the cache. It knows nothing of codecs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/frame.h"
#include "vision/scale.h"

namespace handrail::vision {

struct Strip {
  const std::uint8_t* pixels = nullptr;
  std::size_t stride = 0;
  const std::uint8_t* row(int y) const { return pixels + static_cast<std::size_t>(y) * stride; }
};

// Memory of one thread for taking rows; kept from picture to picture.
struct RowMemory {
  Scaler::Scratch blend;
  std::vector<std::uint8_t> strip;
};

class Rows {
 public:
  // `frame` scaled to `target`, which must not be empty. When `sized` is given, the scaled rows are
  // left there; its memory is reused if it has that size already and nobody else holds it.
  Rows(const Frame& frame, Size target, Frame* sized = nullptr);

  Size size() const { return target_; }

  // Rows [from, to), valid until the next call with the same memory. Threads may call it at once for
  // rows that do not overlap, each with its own memory.
  Strip strip(int from, int to, RowMemory& memory) const;

 private:
  Frame frame_;
  Size target_;
  std::shared_ptr<const Scaler> scaler_;  // none: the frame has the target's size already
  std::uint8_t* sized_ = nullptr;
  std::size_t sized_stride_ = 0;
};

}  // namespace handrail::vision

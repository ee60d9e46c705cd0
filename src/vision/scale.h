// Area averaging: every pixel of the result is the mean of exactly what it covers in the source.
// Works on raw BGRX rows; it knows nothing of codecs, screens or threads.
#pragma once

#include <cstdint>
#include <vector>

#include "model/frame.h"

namespace handrail::vision {

// Which implementation runs; all give the same bytes. `fastest` asks the processor.
enum class Kernel { fastest, portable };

// The tables for one pair of sizes. Immutable once made, so threads may share it; each brings its
// own scratch. Any ratio works, also 1:1 and enlarging (which repeats and blends pixels).
class Scaler {
 public:
  // Both sizes must not be empty.
  Scaler(Size source, Size target, Kernel kernel = Kernel::fastest);

  // Working memory of one thread; keep it to keep its pages.
  using Scratch = std::vector<std::uint16_t>;

  Size source() const { return source_; }
  Size target() const { return target_; }

  // Rows [from, to) of the target into `out`, whose first row is row `from`. Never writes past a
  // row's last pixel. The fourth byte of each pixel is averaged like the others.
  void rows(const Frame& source, int from, int to, std::uint8_t* out, std::size_t out_stride, Scratch& scratch) const;

  // How many source rows must be there before target rows up to `to` can be made.
  int source_rows_for(int to) const;

 private:
  struct RowSpan {
    int first = 0;
    int count = 0;
    std::size_t weights = 0;  // index into row_weights_
  };

  Size source_;
  Size target_;
  bool avx2_ = false;
  bool many_taps_ = false;  // more than the 16 bit sums stay exact for
  std::vector<RowSpan> row_spans_;
  std::vector<std::uint16_t> row_weights_;
  int groups_ = 1;       // of four source pixels, for one target pixel
  int column_bias_ = 0;  // rounding, in 1/256
  std::vector<int> column_first_;
  std::vector<std::uint16_t> column_weights_;  // per target pixel and group: 4 pixels x 4 channels
};

}  // namespace handrail::vision

#include "vision/scale.h"

#include <algorithm>

#include "vision/scale_kernels.h"

namespace handrail::vision {
namespace {

constexpr int kGroup = 4;
constexpr int kChannels = 4;
// Each truncated product may lose 1/256; up to this many the sum stays within half a step.
constexpr int kMostTaps = 64;

// What target pixel `index` covers of the source, in whole units of 1/target source pixels.
struct Span {
  int first;
  std::vector<std::uint16_t> weights;
};

Span span_of(int index, int source, int target) {
  const std::int64_t begin = static_cast<std::int64_t>(index) * source;
  const std::int64_t end = begin + source;
  Span span{static_cast<int>(begin / target), {}};
  const int last = static_cast<int>((end - 1) / target);
  std::int64_t before = 0;
  for (int pixel = span.first; pixel <= last; ++pixel) {
    // Differences of rounded running sums: the weights add up to exactly one.
    const std::int64_t covered = std::min(end, (pixel + std::int64_t{1}) * target) - begin;
    const std::int64_t after = (covered * 65536 + source / 2) / source;
    span.weights.push_back(static_cast<std::uint16_t>(std::min<std::int64_t>(after - before, 65535)));
    before = after;
  }
  return span;
}

}  // namespace

Scaler::Scaler(Size source, Size target, Kernel kernel)
    : source_(source), target_(target), avx2_(kernel == Kernel::fastest && kernels::has_avx2()) {
  int most_rows = 0;
  row_spans_.reserve(static_cast<std::size_t>(target.height));
  for (int y = 0; y < target.height; ++y) {
    const Span span = span_of(y, source.height, target.height);
    const int count = static_cast<int>(span.weights.size());
    row_spans_.push_back({span.first, count, row_weights_.size()});
    row_weights_.insert(row_weights_.end(), span.weights.begin(), span.weights.end());
    most_rows = std::max(most_rows, count);
  }

  std::vector<Span> columns;
  columns.reserve(static_cast<std::size_t>(target.width));
  std::size_t most_columns = 1;
  for (int x = 0; x < target.width; ++x) {
    columns.push_back(span_of(x, source.width, target.width));
    most_columns = std::max(most_columns, columns.back().weights.size());
  }
  groups_ = (static_cast<int>(most_columns) + kGroup - 1) / kGroup;
  column_bias_ = 128 + static_cast<int>(most_columns) / 2;
  many_taps_ = most_rows > kMostTaps || most_columns > kMostTaps;
  if (many_taps_) column_bias_ = 128;

  const std::size_t per_pixel = static_cast<std::size_t>(groups_) * kGroup * kChannels;
  column_first_.resize(columns.size());
  column_weights_.assign(columns.size() * per_pixel, 0);
  for (std::size_t x = 0; x < columns.size(); ++x) {
    column_first_[x] = columns[x].first * kChannels;
    std::uint16_t* weights = column_weights_.data() + x * per_pixel;
    for (std::size_t tap = 0; tap < columns[x].weights.size(); ++tap) {
      std::fill_n(weights + tap * kChannels, kChannels, columns[x].weights[tap]);
    }
  }
}

int Scaler::source_rows_for(int to) const {
  if (to <= 0) return 0;
  const RowSpan& span = row_spans_[static_cast<std::size_t>(std::min(to, target_.height) - 1)];
  return span.first + span.count;
}

void Scaler::rows(const Frame& source, int from, int to, std::uint8_t* out, std::size_t out_stride,
                  Scratch& scratch) const {
  const int bytes = source_.width * kChannels;
  // Slack for vector stores behind the row and for zero-weighted taps beyond its last pixel.
  const std::size_t needed = static_cast<std::size_t>(bytes) + 32 + static_cast<std::size_t>(groups_) * 16;
  if (scratch.size() < needed) scratch.resize(needed);

  for (int y = from; y < to; ++y, out += out_stride) {
    const RowSpan& span = row_spans_[static_cast<std::size_t>(y)];
    const kernels::RowBlend vertical{
        source.row(span.first), source.stride, row_weights_.data() + span.weights, span.count, bytes, scratch.data()};
    const kernels::ColumnBlend horizontal{
        scratch.data(), column_first_.data(), column_weights_.data(), groups_, column_bias_, target_.width, out};
    if (many_taps_) {
      kernels::blend_rows_many(vertical);
      kernels::blend_columns_many(horizontal);
    } else if (avx2_) {
      kernels::blend_rows_avx2(vertical);
      kernels::blend_columns_avx2(horizontal);
    } else {
      kernels::blend_rows_portable(vertical);
      kernels::blend_columns_portable(horizontal);
    }
  }
}

namespace kernels {

void blend_rows_portable(const RowBlend& job) {
  const std::uint32_t bias = static_cast<std::uint32_t>(job.count) / 2;
  for (int x = 0; x < job.bytes; ++x) {
    std::uint32_t sum = bias;
    const std::uint8_t* pixel = job.source + x;
    for (int k = 0; k < job.count; ++k, pixel += job.stride) {
      sum += (static_cast<std::uint32_t>(*pixel) * job.weights[k]) >> 8;
    }
    job.out[x] = static_cast<std::uint16_t>(sum);
  }
}

void blend_columns_portable(const ColumnBlend& job) {
  const std::size_t taps = static_cast<std::size_t>(job.groups) * kGroup;
  for (int x = 0; x < job.width; ++x) {
    const std::uint16_t* from = job.row + job.first[x];
    const std::uint16_t* weights = job.weights + static_cast<std::size_t>(x) * taps * kChannels;
    std::uint32_t sum[kChannels] = {};
    for (std::size_t i = 0; i < taps * kChannels; ++i) {
      sum[i % kChannels] += (static_cast<std::uint32_t>(from[i]) * weights[i]) >> 16;
    }
    for (int c = 0; c < kChannels; ++c) {
      const std::uint32_t rounded = (sum[c] + static_cast<std::uint32_t>(job.bias)) >> 8;
      job.out[x * kChannels + c] = static_cast<std::uint8_t>(std::min<std::uint32_t>(rounded, 255));
    }
  }
}

void blend_rows_many(const RowBlend& job) {
  for (int x = 0; x < job.bytes; ++x) {
    std::uint32_t sum = 128;
    const std::uint8_t* pixel = job.source + x;
    for (int k = 0; k < job.count; ++k, pixel += job.stride) {
      sum += static_cast<std::uint32_t>(*pixel) * job.weights[k];
    }
    job.out[x] = static_cast<std::uint16_t>(sum >> 8);
  }
}

void blend_columns_many(const ColumnBlend& job) {
  const std::size_t taps = static_cast<std::size_t>(job.groups) * kGroup;
  for (int x = 0; x < job.width; ++x) {
    const std::uint16_t* from = job.row + job.first[x];
    const std::uint16_t* weights = job.weights + static_cast<std::size_t>(x) * taps * kChannels;
    std::uint64_t sum[kChannels] = {};
    for (std::size_t i = 0; i < taps * kChannels; ++i) sum[i % kChannels] += std::uint64_t{from[i]} * weights[i];
    for (int c = 0; c < kChannels; ++c) {
      const std::uint64_t rounded = ((sum[c] >> 16) + static_cast<std::uint64_t>(job.bias)) >> 8;
      job.out[x * kChannels + c] = static_cast<std::uint8_t>(std::min<std::uint64_t>(rounded, 255));
    }
  }
}

}  // namespace kernels
}  // namespace handrail::vision

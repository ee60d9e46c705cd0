// The inner loops of Scaler. Values between the two passes are 16 bit with 8 fractional bits; weights
// are 16 bit fractions. The vector versions must give the same bytes as the portable ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace handrail::vision::kernels {

// Vertical: `count` rows of `bytes` bytes, weighted, into `out`. Vector versions read up to 31 bytes
// past each row and write as many values past the end.
struct RowBlend {
  const std::uint8_t* source;
  std::size_t stride;
  const std::uint16_t* weights;
  int count;
  int bytes;
  std::uint16_t* out;
};

// Horizontal: one row of `width` target pixels out of the blended row.
struct ColumnBlend {
  const std::uint16_t* row;
  const int* first;              // where in `row` each target pixel begins
  const std::uint16_t* weights;  // 16 per group
  int groups;
  int bias;
  int width;
  std::uint8_t* out;
};

void blend_rows_portable(const RowBlend& job);
void blend_columns_portable(const ColumnBlend& job);
// For ratios beyond what sums of truncated products can carry; exact sums, slower.
void blend_rows_many(const RowBlend& job);
void blend_columns_many(const ColumnBlend& job);

bool has_avx2();
void blend_rows_avx2(const RowBlend& job);
void blend_columns_avx2(const ColumnBlend& job);

}  // namespace handrail::vision::kernels

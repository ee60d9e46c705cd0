#include "vision/line_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace handrail::vision {
namespace {

// The height of the recogniser's input, and the row on which letters stand in it.
constexpr int kRows = 36;
constexpr double kBase = 25;
// Lower ones are guesses.
constexpr double kLeastLetter = 4;
// Between these, letters are read as well when they are made a little narrower.
constexpr double kTiny = 6.2;
constexpr double kLarge = 10;
// Small letters are this much of capitals and digits.
constexpr double kSmallOfTall = 0.73;
// A line of which less than this stands out above or below its rows has capitals or digits only.
constexpr double kStandsOut = 0.03;
// A row with more of its pixels inked is drawn under the text, or over it.
constexpr double kRule = 0.85;
constexpr int kInk = 40;

// How different each row is from the ground, summed up; nothing outside.
class Ink {
 public:
  explicit Ink(const LinePicture& line) : rows_(static_cast<std::size_t>(line.cut.height)) {
    for (int y = 0; y < line.cut.height; ++y) {
      const std::uint8_t* row = line.cut.row(y);
      std::int64_t sum = 0, inked = 0;
      for (int x = 0; x < line.cut.width; ++x) {
        const int difference = std::abs(row[x] - line.ground);
        sum += difference;
        inked += difference > kInk ? 1 : 0;
      }
      if (static_cast<double>(inked) < kRule * line.cut.width) rows_[static_cast<std::size_t>(y)] = sum;
    }
  }
  std::int64_t operator[](int y) const {
    return y < 0 || y >= static_cast<int>(rows_.size()) ? 0 : rows_[static_cast<std::size_t>(y)];
  }
  double between(int from, int to) const {
    double sum = 0;
    for (int y = from; y < to; ++y) sum += static_cast<double>((*this)[y]);
    return sum;
  }
  // How much of a row is filled, by what a full and an empty one have.
  double filled(int y, std::int64_t full, std::int64_t empty) const {
    if (full <= empty) return 0;
    return std::clamp(static_cast<double>((*this)[y] - empty) / static_cast<double>(full - empty), 0.0, 1.0);
  }

 private:
  std::vector<std::int64_t> rows_;
};

// What goes into each pixel of one direction: cubic between pixels, wider when the result is smaller.
struct Taps {
  int first = 0;
  std::vector<float> weights;
};

float cubic(double distance) {
  const double d = std::abs(distance);
  if (d >= 2) return 0;
  return static_cast<float>(d < 1 ? (1.5 * d - 2.5) * d * d + 1 : ((-0.5 * d + 2.5) * d - 4) * d + 2);
}

// `start` is where in the source the result begins.
std::vector<Taps> taps_of(int size, double scale, double start) {
  std::vector<Taps> all(static_cast<std::size_t>(size));
  const double step = 1 / scale, wide = std::max(1.0, step);
  for (int i = 0; i < size; ++i) {
    Taps& taps = all[static_cast<std::size_t>(i)];
    const double middle = start + (i + 0.5) * step;
    taps.first = static_cast<int>(std::floor(middle - 2 * wide));
    const int end = static_cast<int>(std::ceil(middle + 2 * wide));
    float sum = 0;
    for (int at = taps.first; at < end; ++at) {
      taps.weights.push_back(cubic((at + 0.5 - middle) / wide));
      sum += taps.weights.back();
    }
    for (float& weight : taps.weights) weight /= sum;
  }
  return all;
}

}  // namespace

std::optional<LetterRows> letter_rows(const LinePicture& line) {
  const Ink ink(line);
  const int height = line.cut.height;
  // The line stands where ink falls most in its lower half, and is as high as where it rises most.
  int base = -1, top = -1;
  std::int64_t most = 0;
  for (int y = height / 2; y <= height; ++y) {
    if (const std::int64_t fall = ink[y - 1] - ink[y]; fall > most) {
      most = fall;
      base = y;
    }
  }
  most = 0;
  for (int y = 0; y < base - 2; ++y) {
    if (const std::int64_t rise = ink[y] - ink[y - 1]; rise > most) {
      most = rise;
      top = y;
    }
  }
  if (top < 0) return std::nullopt;
  const std::int64_t full_low = ink[base - 2], empty_low = ink[base + 1], full_high = ink[top + 1],
                     empty_high = ink[top - 2];
  LetterRows rows{top + 1 - ink.filled(top, full_high, empty_high) - ink.filled(top - 1, full_high, empty_high),
                  base - 1 + ink.filled(base - 1, full_low, empty_low) + ink.filled(base, full_low, empty_low)};
  const double above = ink.between(0, top - 1), below = ink.between(base + 1, height);
  rows.tall = above + below < kStandsOut * ink.between(top, base);
  if (rows.tall) rows.top = rows.base - kSmallOfTall * rows.height();
  if (rows.height() < kLeastLetter) return std::nullopt;
  return rows;
}

LetterShape quick_shape(const LetterRows& rows) {
  // No other letter tells of a digit that was not understood.
  if (rows.tall || rows.height() < kTiny) return kClearShape;
  if (rows.height() > kLarge) return {11, 1};
  return {10, 0.9};
}

double shaped_scale(const LetterRows& rows, const LetterShape& shape) {
  return shape.height / rows.height() * shape.squeeze;
}

Grey shaped(const LinePicture& line, const LetterRows& rows, const LetterShape& shape) {
  const Grey& cut = line.cut;
  const double down = shape.height / rows.height(), across = shaped_scale(rows, shape);
  const int width = std::max(1, static_cast<int>(std::ceil(cut.width * across)) - 2 * kShapedTrim);
  const auto at = [](int x, int y, int row) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(row) + static_cast<std::size_t>(x);
  };
  std::vector<float> tall(at(0, kRows, cut.width));
  int y = 0;
  for (const Taps& taps : taps_of(kRows, down, rows.base - kBase / down)) {
    float* to = tall.data() + at(0, y++, cut.width);
    int from = taps.first;
    for (const float weight : taps.weights) {
      const std::uint8_t* row = from >= 0 && from < cut.height ? cut.row(from) : nullptr;
      ++from;
      for (int x = 0; x < cut.width; ++x) to[x] += weight * static_cast<float>(row != nullptr ? row[x] : line.ground);
    }
  }
  Grey out{width, kRows, std::vector<std::uint8_t>(at(0, kRows, width))};
  const std::vector<Taps> columns = taps_of(width, across, kShapedTrim / across);
  for (y = 0; y < kRows; ++y) {
    const float* row = tall.data() + at(0, y, cut.width);
    for (int x = 0; x < width; ++x) {
      const Taps& taps = columns[static_cast<std::size_t>(x)];
      float sum = 0.5F;
      int from = taps.first;
      for (const float weight : taps.weights) {
        sum += weight * (from >= 0 && from < cut.width ? row[from] : static_cast<float>(line.ground));
        ++from;
      }
      out.row(y)[x] = static_cast<std::uint8_t>(std::clamp(sum, 0.0F, 255.0F));
    }
  }
  return out;
}

}  // namespace handrail::vision

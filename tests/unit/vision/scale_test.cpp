#include "vision/scale.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "unit/vision/images.h"

namespace handrail::vision {
namespace {

Frame scaled(const Frame& source, Size target, Kernel kernel = Kernel::fastest) {
  Frame out = make_frame(target);
  Scaler::Scratch scratch;
  Scaler(source.size(), target, kernel).rows(source, 0, target.height, writable(out), out.stride, scratch);
  return out;
}

// The mean of the covered area in floating point, separably, straight from the definition.
std::vector<double> reference(const Frame& source, Size target) {
  const auto shrink = [](const std::vector<double>& in, int lines, int length, int to, int step, int line_step) {
    std::vector<double> out(static_cast<std::size_t>(lines) * static_cast<std::size_t>(to) * 4);
    const double ratio = static_cast<double>(length) / to;
    for (int line = 0; line < lines; ++line) {
      for (int i = 0; i < to; ++i) {
        const double begin = i * ratio, end = begin + ratio;
        for (int c = 0; c < 4; ++c) {
          double sum = 0;
          for (int k = static_cast<int>(begin); k < std::min<double>(length, std::ceil(end)); ++k) {
            const double part = std::min(end, k + 1.0) - std::max(begin, static_cast<double>(k));
            sum += part * in[static_cast<std::size_t>((line * line_step + k * step) * 4 + c)];
          }
          out[static_cast<std::size_t>((line * to + i) * 4 + c)] = sum / ratio;
        }
      }
    }
    return out;
  };
  std::vector<double> all;
  for (int y = 0; y < source.height; ++y) all.insert(all.end(), source.row(y), source.row(y) + source.width * 4);
  const auto narrow = shrink(all, source.height, source.width, target.width, 1, source.width);
  // Columns become lines: the result is laid out column by column.
  return shrink(narrow, target.width, source.height, target.height, target.width, 1);
}

int worst_error(const Frame& source, Size target) {
  const Frame out = scaled(source, target);
  const auto wanted = reference(source, target);
  int worst = 0;
  for (int y = 0; y < target.height; ++y) {
    for (int x = 0; x < target.width; ++x) {
      for (int c = 0; c < 4; ++c) {
        const double exact = wanted[static_cast<std::size_t>((x * target.height + y) * 4 + c)];
        worst = std::max(worst, std::abs(out.row(y)[x * 4 + c] - static_cast<int>(std::lround(exact))));
      }
    }
  }
  return worst;
}

bool same(const Frame& a, const Frame& b) {
  if (a.size() != b.size()) return false;
  for (int y = 0; y < a.height; ++y) {
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width) * 4) != 0) return false;
  }
  return true;
}

TEST(Scale, IsTheMeanOfWhatIsCovered) {
  const struct {
    Size source, target;
  } rows[] = {{{192, 108}, {145, 81}}, {{384, 216}, {145, 81}}, {{640, 480}, {320, 240}}, {{333, 77}, {100, 76}},
              {{500, 300}, {17, 9}},   {{100, 100}, {1, 1}},    {{1000, 40}, {10, 40}},   {{40, 1000}, {40, 3}},
              {{3, 3}, {2, 2}},        {{1, 1}, {1, 1}},        {{9, 9}, {9, 4}},         {{50, 40}, {75, 60}}};
  for (const auto& row : rows) {
    EXPECT_LE(worst_error(noise(row.source), row.target), 1)
        << row.source.width << 'x' << row.source.height << " to " << row.target.width << 'x' << row.target.height;
  }
}

TEST(Scale, BlackAndWhiteEdgesStayExact) {
  // Extremes are where weights that do not add up to one would show.
  for (const std::uint32_t colour : {0U, 0xFFFFFFFFU, 0x80808080U, 0x01FE7F00U}) {
    Frame frame = make_frame({97, 61});
    fill(frame, {0, 0, 97, 61}, colour);
    for (const Size target : {Size{73, 46}, Size{36, 23}, Size{97, 61}, Size{1, 1}, Size{5, 60}}) {
      Frame flat = make_frame(target);
      fill(flat, {0, 0, target.width, target.height}, colour);
      EXPECT_TRUE(same(scaled(frame, target), flat)) << colour << " to " << target.width;
    }
  }
}

TEST(Scale, OneToOneIsACopy) {
  const Frame frame = noise({123, 45});
  EXPECT_TRUE(same(scaled(frame, {123, 45}), frame));
  EXPECT_TRUE(same(scaled(frame, {123, 45}, Kernel::portable), frame));
}

TEST(Scale, TheRatiosOfUsualScreensMatchTheReference) {
  // Full width, and a height of the same ratio that the slow reference can do.
  EXPECT_LE(worst_error(screen({1920, 120}), {1456, 91}), 1);
  EXPECT_LE(worst_error(screen({3840, 240}), {1456, 91}), 1);
  EXPECT_LE(worst_error(noise({2560, 160}), {1389, 87}), 1);
}

RC_GTEST_PROP(Scale, VectorAndPortableCodeGiveTheSameBytes, ()) {
  const Size source{*rc::gen::inRange(1, 400), *rc::gen::inRange(1, 60)};
  const Size target{*rc::gen::inRange(1, 400), *rc::gen::inRange(1, 60)};
  const Frame frame = noise(source, *rc::gen::arbitrary<unsigned>());
  RC_ASSERT(same(scaled(frame, target), scaled(frame, target, Kernel::portable)));
}

RC_GTEST_PROP(Scale, AnyRatioIsExactToOneStep, ()) {
  const Size source{*rc::gen::inRange(1, 300), *rc::gen::inRange(1, 100)};
  const Size target{*rc::gen::inRange(1, source.width + 1), *rc::gen::inRange(1, source.height + 1)};
  RC_ASSERT(worst_error(noise(source, *rc::gen::arbitrary<unsigned>()), target) <= 1);
}

TEST(Scale, StripsMakeTheSameWhole) {
  const Frame frame = noise({300, 200});
  const Size target{211, 141};
  const Scaler scaler(frame.size(), target);
  Frame out = make_frame(target);
  Scaler::Scratch scratch;
  for (int y = 0; y < target.height; y += 16) {
    const int to = std::min(target.height, y + 16);
    scaler.rows(frame, y, to, writable(out) + static_cast<std::size_t>(y) * out.stride, out.stride, scratch);
  }
  EXPECT_TRUE(same(out, scaled(frame, target)));
}

TEST(Scale, SaysHowManySourceRowsAStripNeeds) {
  const Scaler scaler({1920, 1080}, {1456, 819});
  EXPECT_EQ(scaler.source_rows_for(0), 0);
  EXPECT_EQ(scaler.source_rows_for(819), 1080);
  for (int to = 1; to <= 819; ++to) {
    EXPECT_EQ(scaler.source_rows_for(to), static_cast<int>(std::ceil(to * 1080.0 / 819 - 1e-9))) << to;
  }
}

TEST(Scale, LeavesWhatIsBesideTheRowAlone) {
  const Frame frame = noise({100, 20});
  const Size target{71, 13};
  std::vector<std::uint8_t> out(80 * 4 * 13, 0xAB);
  Scaler::Scratch scratch;
  Scaler(frame.size(), target).rows(frame, 0, 13, out.data(), 80 * 4, scratch);
  for (std::size_t y = 0; y < 13; ++y) {
    for (std::size_t i = 71 * 4; i < 80 * 4; ++i) ASSERT_EQ(out[y * 320 + i], 0xAB);
  }
}

}  // namespace
}  // namespace handrail::vision

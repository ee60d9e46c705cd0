#include "vision/line_picture.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "vision/pixel_print.h"

namespace handrail::vision {
namespace {

// Lines that are lower are enlarged to about this height. More is read no better and takes longer.
constexpr int kGoodHeight = 18;
constexpr int kMostEnlargement = 4;
// Edges stand up to a pixel inside of the ink.
constexpr int kAround = 2;
// Difference from the ground that counts as ink.
constexpr int kInk = 40;

void set_key(LinePicture& line) {
  line.key[0] = static_cast<std::uint64_t>(line.cut.width);
  line.key[1] = static_cast<std::uint64_t>(line.cut.height);
  const std::vector<std::uint8_t>& bytes = line.cut.pixels;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    line.key[0] = mixed(line.key[0], word, 0x9E3779B97F4A7C15ULL);
    line.key[1] = mixed(line.key[1], word, 0xC2B2AE3D27D4EB4FULL);
  }
}

// The most frequent brightness, in steps of eight: the ground, however bold the letters are.
int ground_of(const Grey& cut) {
  std::array<int, 32> counts{}, sums{};
  for (const std::uint8_t value : cut.pixels) {
    ++counts[value / 8];
    sums[value / 8] += value;
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  return sums[most] / counts[most];
}

}  // namespace

LinePicture cut_line(const Grey& grey, const PixelRect& line) {
  LinePicture made;
  made.place =
      intersect(PixelRect{line.x - kAround, line.y - kAround, line.width + 2 * kAround, line.height + 2 * kAround},
                PixelRect{0, 0, grey.width, grey.height});
  made.cut.width = made.place.width;
  made.cut.height = made.place.height;
  made.cut.pixels.reserve(static_cast<std::size_t>(made.place.width) * static_cast<std::size_t>(made.place.height));
  std::int64_t sum = 0;
  for (int y = 0; y < made.place.height; ++y) {
    const std::uint8_t* from = grey.row(made.place.y + y) + made.place.x;
    for (int x = 0; x < made.place.width; ++x) sum += from[x];
    made.cut.pixels.insert(made.cut.pixels.end(), from, from + made.place.width);
  }
  if (made.cut.pixels.empty()) return made;
  int ground = ground_of(made.cut);
  if (sum > ground * static_cast<std::int64_t>(made.cut.pixels.size())) {  // the letters are lighter
    for (std::uint8_t& value : made.cut.pixels) value = static_cast<std::uint8_t>(255 - value);
    ground = 255 - ground;
  }
  made.ground = static_cast<std::uint8_t>(ground);
  set_key(made);
  return made;
}

int enlargement(const LinePicture& line) {
  const int height = std::max(1, line.cut.height - 2 * kAround);
  return std::clamp((kGoodHeight + height / 2) / height, 1, kMostEnlargement);
}

Grey prepared(const LinePicture& line) {
  const int factor = enlargement(line);
  const Grey& cut = line.cut;
  Grey out{cut.width * factor + 2 * kLineMargin, cut.height * factor + 2 * kLineMargin, {}};
  out.pixels.assign(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), line.ground);
  // Between the middles of pixels, in 1/(2 * factor) of a pixel.
  const int whole = 2 * factor;
  for (int y = 0; y < cut.height * factor; ++y) {
    const int at_y = std::clamp(2 * y + 1 - factor, 0, (cut.height - 1) * whole);
    const std::uint8_t* upper = cut.row(at_y / whole);
    const std::uint8_t* lower = cut.row(std::min(at_y / whole + 1, cut.height - 1));
    const int down = at_y % whole;
    std::uint8_t* to = out.row(kLineMargin + y) + kLineMargin;
    for (int x = 0; x < cut.width * factor; ++x) {
      const int at_x = std::clamp(2 * x + 1 - factor, 0, (cut.width - 1) * whole);
      const int left = at_x / whole, right = std::min(left + 1, cut.width - 1), across = at_x % whole;
      const int top = upper[left] * (whole - across) + upper[right] * across;
      const int bottom = lower[left] * (whole - across) + lower[right] * across;
      to[x] = static_cast<std::uint8_t>((top * (whole - down) + bottom * down) / (whole * whole));
    }
  }
  return out;
}

std::vector<PixelRect> word_boxes(const LinePicture& line, const std::vector<std::pair<int, int>>& rough) {
  const Grey& cut = line.cut;
  const auto is_ink = [&](int x, int y) { return std::abs(cut.row(y)[x] - line.ground) > kInk; };
  std::vector<int> ink(static_cast<std::size_t>(cut.width));
  for (int y = 0; y < cut.height; ++y) {
    for (int x = 0; x < cut.width; ++x) ink[static_cast<std::size_t>(x)] += is_ink(x, y) ? 1 : 0;
  }
  const auto middle = [](const std::pair<int, int>& word) { return (word.first + word.second) / 2; };
  std::vector<PixelRect> boxes;
  int from = 0;
  for (std::size_t i = 0; i < rough.size(); ++i) {
    // Words end in the middle of the widest gap between the middles of two of them, the nearer one of equal gaps.
    int to = cut.width;
    if (i + 1 < rough.size()) {
      const int expected = (rough[i].second + rough[i + 1].first) / 2;
      const int end = std::clamp(middle(rough[i + 1]), from + 1, cut.width);
      to = std::clamp(expected, from, cut.width);
      int widest = 0;
      for (int x = std::clamp(middle(rough[i]), from, cut.width); x < end;) {
        const int start = x;
        while (x < end && ink[static_cast<std::size_t>(x)] == 0) ++x;
        const int at = start + (x - start) / 2;
        if (x - start > widest ||
            (x - start == widest && widest > 0 && std::abs(at - expected) < std::abs(to - expected))) {
          widest = x - start;
          to = at;
        }
        if (x == start) ++x;
      }
    }
    int left = to, right = from, top = cut.height, bottom = 0;
    for (int x = from; x < to; ++x) {
      if (ink[static_cast<std::size_t>(x)] == 0) continue;
      left = std::min(left, x);
      right = x + 1;
      for (int y = 0; y < cut.height; ++y) {
        if (!is_ink(x, y)) continue;
        top = std::min(top, y);
        bottom = std::max(bottom, y + 1);
      }
    }
    if (left < right) {
      boxes.push_back({left, top, right - left, bottom - top});
    } else {
      const int x = std::clamp(rough[i].first, 0, cut.width - 1);
      boxes.push_back({x, 0, std::max(1, std::min(rough[i].second, cut.width) - x), cut.height});
    }
    from = to;
  }
  return boxes;
}

}  // namespace handrail::vision

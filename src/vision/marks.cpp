#include "vision/marks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vision/chips.h"
#include "vision/digits.h"

namespace handrail::vision {
namespace {

// Smaller than this each way shows nothing that could be pressed.
constexpr double kLeastSide = 2;
// Of 256: about 12 percent.
constexpr unsigned kFill = 31;
// Controls smaller than this get the thinner outline.
constexpr int kSmallSide = 18;

struct Candidate {
  std::size_t element = 0;
  Rect box;
};

bool same_row(const Rect& a, const Rect& b) {
  const double low = std::min(a.height, b.height), high = std::max(a.height, b.height);
  if (std::abs(a.y - b.y) < low / 2) return true;
  const double overlap = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return high <= 3 * low && overlap >= low / 2;
}

// Rows are built around their topmost element, so that a staircase of elements does not become one row.
void sort_in_reading_order(std::vector<Candidate>& all) {
  std::ranges::stable_sort(all, [](const Candidate& a, const Candidate& b) {
    return a.box.y != b.box.y ? a.box.y < b.box.y : a.box.x < b.box.x;
  });
  std::vector<Candidate> ordered;
  ordered.reserve(all.size());
  std::vector<bool> taken(all.size());
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (taken[first]) continue;
    const Rect& anchor = all[first].box;
    const auto row = static_cast<std::ptrdiff_t>(ordered.size());
    for (std::size_t i = first; i < all.size() && all[i].box.y < anchor.y + anchor.height; ++i) {
      if (taken[i] || !same_row(anchor, all[i].box)) continue;
      taken[i] = true;
      ordered.push_back(all[i]);
    }
    std::stable_sort(ordered.begin() + row, ordered.end(),
                     [](const Candidate& a, const Candidate& b) { return a.box.x < b.box.x; });
  }
  all = std::move(ordered);
}

std::uint8_t* pixel_at(Frame& frame, int x, int y) {
  return writable(frame) + static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(x) * 4;
}

void paint(Frame& frame, const PixelRect& where, std::uint32_t colour) {
  const PixelRect box = intersect(where, PixelRect{0, 0, frame.width, frame.height});
  for (int y = box.y; y < box.y + box.height; ++y) {
    std::uint8_t* pixel = pixel_at(frame, box.x, y);
    for (int x = 0; x < box.width; ++x, pixel += 4) {
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(colour >> (8 * c));
    }
  }
}

void tint(Frame& frame, const PixelRect& box, std::uint32_t colour) {
  unsigned add[4];
  for (unsigned c = 0; c < 4; ++c) add[c] = (colour >> (8 * c) & 0xFF) * kFill;
  for (int y = box.y; y < box.y + box.height; ++y) {
    std::uint8_t* pixel = pixel_at(frame, box.x, y);
    for (int x = 0; x < box.width; ++x, pixel += 4) {
      for (unsigned c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>((pixel[c] * (256 - kFill) + add[c] + 128) >> 8);
    }
  }
}

void outline(Frame& frame, const PixelRect& box, std::uint32_t colour) {
  const int line = std::min(box.width, box.height) < kSmallSide ? 1 : 2;
  paint(frame, {box.x, box.y, box.width, line}, colour);
  paint(frame, {box.x, box.y + box.height - line, box.width, line}, colour);
  paint(frame, {box.x, box.y, line, box.height}, colour);
  paint(frame, {box.x + box.width - line, box.y, line, box.height}, colour);
}

// Black or white, whichever is read better on the colour.
std::uint32_t ink_on(std::uint32_t colour) {
  const unsigned luma = (colour >> 16 & 0xFF) * 77 + (colour >> 8 & 0xFF) * 150 + (colour & 0xFF) * 29;
  return luma > 128 * 256 ? 0x000000 : 0xFFFFFF;
}

void draw_chip(Frame& frame, const Chip& chip) {
  paint(frame, chip.box, chip.colour);
  const std::uint32_t ink = ink_on(chip.colour);
  int x = chip.box.x + chip.box.width - 2 - kDigitWidth;
  int rest = std::abs(chip.number);
  do {
    const auto& rows = kDigits[static_cast<std::size_t>(rest % 10)];
    for (int y = 0; y < kDigitHeight; ++y) {
      for (int column = 0; column < kDigitWidth; ++column) {
        if ((rows[static_cast<std::size_t>(y)] >> (kDigitWidth - 1 - column) & 1) == 0) continue;
        paint(frame, {x + column, chip.box.y + 2 + y, 1, 1}, ink);
      }
    }
    x -= kDigitWidth + 1;
    rest /= 10;
  } while (rest > 0);
}

}  // namespace

std::vector<MarkedElement> select_marks(std::span<const Element> elements, const Rect& visible, Size image,
                                        std::size_t most) {
  if (visible.empty() || image.empty()) return {};
  std::vector<Candidate> shown;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!interactive(elements[i])) continue;
    const Rect box = intersect(elements[i].bounds, visible);
    if (box.width > kLeastSide && box.height > kLeastSide) shown.push_back({i, box});
  }
  sort_in_reading_order(shown);
  if (shown.size() > most) shown.resize(most);
  const double scale_x = image.width / visible.width, scale_y = image.height / visible.height;
  std::vector<MarkedElement> marked;
  marked.reserve(shown.size());
  for (const Candidate& one : shown) {
    const Rect box{(one.box.x - visible.x) * scale_x, (one.box.y - visible.y) * scale_y, one.box.width * scale_x,
                   one.box.height * scale_y};
    marked.push_back({one.element, {static_cast<int>(marked.size()) + 1, box}});
  }
  return marked;
}

void draw_marks(Frame& frame, std::span<const Mark> marks) {
  if (frame.size().empty()) return;
  const std::vector<Chip> chips = place_chips(marks, frame);
  for (const Chip& chip : chips) tint(frame, chip.control, chip.colour);
  for (const Chip& chip : chips) {
    if (!chip.control.empty()) outline(frame, chip.control, chip.colour);
  }
  for (const Chip& chip : chips) {
    if (!chip.box.empty()) draw_chip(frame, chip);
  }
}

}  // namespace handrail::vision

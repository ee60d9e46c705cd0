#include "vision/diff.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace handrail::vision {
namespace {

constexpr int kTile = 32;
constexpr int kSteps = 8;  // pixels that are compared at once for plain equality

// Grey times 128, by the usual weights of blue, green and red.
int grey128(const std::uint8_t* pixel) { return 15 * pixel[0] + 75 * pixel[1] + 38 * pixel[2]; }

bool changed(const std::uint8_t* a, const std::uint8_t* b) {
  return std::abs(grey128(a) - grey128(b)) > kGreyDelta * 128;
}

// Grows to contain the pixels [from, to) of row y.
void include(PixelRect& box, int from, int to, int y) {
  if (box.empty()) {
    box = {from, y, to - from, 1};
    return;
  }
  const int right = std::max(box.x + box.width, to);
  box.x = std::min(box.x, from);
  box.width = right - box.x;
  box.height = y + 1 - box.y;
}

PixelRect unite(const PixelRect& a, const PixelRect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x, std::max(a.y + a.height, b.y + b.height) - y};
}

std::int64_t area(const PixelRect& box) { return static_cast<std::int64_t>(box.width) * box.height; }

// The changed part of each tile.
struct Tiles {
  int columns;
  int rows;
  std::vector<PixelRect> boxes;
  std::int64_t pixels = 0;

  explicit Tiles(Size size)
      : columns((size.width + kTile - 1) / kTile),
        rows((size.height + kTile - 1) / kTile),
        boxes(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

  PixelRect& at(int column, int row) {
    return boxes[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }

  void compare_span(const std::uint8_t* before, const std::uint8_t* after, int from, int to, int y) {
    for (int x = from; x < to; ++x) {
      if (!changed(before + x * 4, after + x * 4)) continue;
      ++pixels;
      include(at(x / kTile, y / kTile), x, x + 1, y);
    }
  }

  void compare_row(const std::uint8_t* before, const std::uint8_t* after, int width, int y) {
    // Most rows of most looks are equal, and memcmp runs at the speed of memory.
    if (std::memcmp(before, after, static_cast<std::size_t>(width) * 4) == 0) return;
    for (int x = 0; x < width; x += kSteps) {
      const int end = std::min(width, x + kSteps);
      if (std::memcmp(before + x * 4, after + x * 4, static_cast<std::size_t>(end - x) * 4) != 0) {
        compare_span(before, after, x, end, y);
      }
    }
  }

  // The union of all changed tiles that touch this one, directly or through others; clears them.
  PixelRect take_area(int column, int row) {
    PixelRect whole;
    std::vector<std::pair<int, int>> open{{column, row}};
    while (!open.empty()) {
      const auto [c, r] = open.back();
      open.pop_back();
      PixelRect& box = at(c, r);
      if (box.empty()) continue;
      whole = unite(whole, box);
      box = {};
      for (int nr = std::max(0, r - 1); nr <= std::min(rows - 1, r + 1); ++nr) {
        for (int nc = std::max(0, c - 1); nc <= std::min(columns - 1, c + 1); ++nc) open.emplace_back(nc, nr);
      }
    }
    return whole;
  }
};

// Merges boxes[i] into the neighbour whose box grows least by it.
void merge_away(std::vector<PixelRect>& boxes, std::size_t i) {
  std::size_t best = i == 0 ? 1 : 0;
  std::int64_t least = INT64_MAX;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const std::int64_t growth = area(unite(boxes[k], boxes[i])) - area(boxes[k]);
    if (k != i && growth < least) least = growth, best = k;
  }
  boxes[best] = unite(boxes[best], boxes[i]);
  boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i));
}

void merge_overlapping(std::vector<PixelRect>& boxes) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t k = i + 1; k < boxes.size(); ++k) {
        if (intersect(boxes[i], boxes[k]).empty()) continue;
        boxes[i] = unite(boxes[i], boxes[k]);
        boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(k--));
        again = true;
      }
    }
  }
}

}  // namespace

Change compare(const Frame& before, const Frame& after, std::size_t max_boxes) {
  Change change;
  if (before.size() != after.size()) {
    change.size_changed = true;
    return change;
  }
  if (after.size().empty()) return change;
  Tiles tiles(after.size());
  for (int y = 0; y < after.height; ++y) tiles.compare_row(before.row(y), after.row(y), after.width, y);
  change.percent = 100.0 * static_cast<double>(tiles.pixels) / (static_cast<double>(after.width) * after.height);
  if (tiles.pixels == 0) return change;

  for (int row = 0; row < tiles.rows; ++row) {
    for (int column = 0; column < tiles.columns; ++column) {
      const PixelRect box = tiles.take_area(column, row);
      if (!box.empty()) change.boxes.push_back(box);
    }
  }
  merge_overlapping(change.boxes);
  while (change.boxes.size() > std::max<std::size_t>(1, max_boxes)) {
    const auto smallest = std::min_element(change.boxes.begin(), change.boxes.end(),
                                           [](const PixelRect& a, const PixelRect& b) { return area(a) < area(b); });
    merge_away(change.boxes, static_cast<std::size_t>(smallest - change.boxes.begin()));
    merge_overlapping(change.boxes);
  }
  std::sort(change.boxes.begin(), change.boxes.end(),
            [](const PixelRect& a, const PixelRect& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  return change;
}

}  // namespace handrail::vision

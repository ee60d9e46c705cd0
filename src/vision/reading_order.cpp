#include "vision/reading_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace handrail::vision {
namespace {

bool same_row(const Rect& a, const Rect& b) {
  const double low = std::min(a.height, b.height), high = std::max(a.height, b.height);
  if (std::abs(a.y - b.y) < low / 2) return true;
  const double overlap = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return high <= 3 * low && overlap >= low / 2;
}

}  // namespace

std::vector<std::size_t> reading_order(std::span<const Rect> boxes) {
  std::vector<std::size_t> by_top(boxes.size());
  std::iota(by_top.begin(), by_top.end(), std::size_t{0});
  std::ranges::stable_sort(by_top, [&](std::size_t a, std::size_t b) {
    return boxes[a].y != boxes[b].y ? boxes[a].y < boxes[b].y : boxes[a].x < boxes[b].x;
  });
  std::vector<std::size_t> order;
  order.reserve(boxes.size());
  std::vector<bool> taken(boxes.size());
  for (std::size_t first = 0; first < by_top.size(); ++first) {
    if (taken[first]) continue;
    // A row is built around its topmost box, so that a staircase of boxes does not become one row.
    const Rect& anchor = boxes[by_top[first]];
    const auto row = static_cast<std::ptrdiff_t>(order.size());
    for (std::size_t i = first; i < by_top.size() && (i == first || boxes[by_top[i]].y < anchor.y + anchor.height);
         ++i) {
      if (taken[i] || (i != first && !same_row(anchor, boxes[by_top[i]]))) continue;
      taken[i] = true;
      order.push_back(by_top[i]);
    }
    std::stable_sort(order.begin() + row, order.end(),
                     [&](std::size_t a, std::size_t b) { return boxes[a].x < boxes[b].x; });
  }
  return order;
}

}  // namespace handrail::vision

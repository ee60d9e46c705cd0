#include "actions/plan/uncovered.h"

#include <algorithm>
#include <vector>

namespace handrail::actions::plan {
namespace {

// Up to four parts of `whole` beside `cover`.
void keep_beside(std::vector<Rect>& parts, const Rect& whole, const Rect& cover) {
  const Rect both = intersect(whole, cover);
  if (both.empty()) {
    parts.push_back(whole);
    return;
  }
  const double right = both.x + both.width, bottom = both.y + both.height;
  for (const Rect& part : {Rect{whole.x, whole.y, whole.width, both.y - whole.y},
                           Rect{whole.x, bottom, whole.width, whole.y + whole.height - bottom},
                           Rect{whole.x, whole.y, both.x - whole.x, whole.height},
                           Rect{right, whole.y, whole.x + whole.width - right, whole.height}}) {
    if (!part.empty()) parts.push_back(part);
  }
}

}  // namespace

Rect uncovered(const Element& element, std::int64_t pid, std::span<const Window> stack) {
  const auto own = std::find_if(stack.rbegin(), stack.rend(), [&](const Window& window) {
    if (element.window != 0) return window.id == element.window;
    return window.pid == pid && window.bounds.contains(element.bounds.centre());
  });
  if (own == stack.rend() || element.bounds.empty()) return element.bounds;
  std::vector<Rect> parts{element.bounds};
  for (auto above = own.base(); above != stack.end(); ++above) {
    std::vector<Rect> left;
    for (const Rect& part : parts) keep_beside(left, part, above->bounds);
    parts = std::move(left);
  }
  const auto area = [](const Rect& rect) { return rect.width * rect.height; };
  const auto largest = std::ranges::max_element(parts, {}, area);
  return largest == parts.end() ? Rect{} : *largest;
}

}  // namespace handrail::actions::plan

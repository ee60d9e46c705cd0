#include "actions/plan/delta.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace handrail::actions::plan {
namespace {

bool as_told(const Element& a, const Element& b) {
  return a.role == b.role && a.name == b.name && a.description == b.description && a.value == b.value &&
         a.states == b.states;
}

}  // namespace

Delta compare(const std::vector<SeenElement>& before, std::vector<SeenElement>& now) {
  Delta delta;
  std::map<std::pair<std::string, std::string>, const SeenElement*> left;
  int highest = 0;
  for (const SeenElement& each : before) {
    left[{each.key.id.app, each.key.id.object}] = &each;
    highest = std::max(highest, each.number);
  }
  for (SeenElement& each : now) {
    const auto found = left.find({each.key.id.app, each.key.id.object});
    // An object that became another thing is another element.
    if (found == left.end() || found->second->key.role != each.key.role) {
      each.number = ++highest;
      delta.came.push_back(each);
      continue;
    }
    each.number = found->second->number;
    if (as_told(found->second->element, each.element)) {
      delta.same.push_back({each, found->second->element.bounds});
    } else {
      delta.changed.push_back(each);
    }
    left.erase(found);
  }
  for (const SeenElement& each : before) {
    const auto found = left.find({each.key.id.app, each.key.id.object});
    if (found != left.end() && found->second == &each) delta.gone.push_back(each);
  }
  return delta;
}

std::vector<int> box_in(const Look& look, const Rect& bounds) {
  const Point corner = from_desktop(look, bounds.origin(), Basis::pixels);
  const auto whole = [](double value) { return static_cast<int>(std::lround(value)); };
  return {whole(corner.x), whole(corner.y), whole(bounds.width * look.image.width / look.area.width),
          whole(bounds.height * look.image.height / look.area.height)};
}

void find_moved(Delta& delta, const Look& before, const Look& now) {
  for (const Delta::Kept& kept : delta.same) {
    if (box_in(before, kept.before) != box_in(now, kept.now.element.bounds)) delta.moved.push_back(kept.now);
  }
  std::erase_if(delta.same, [&](const Delta::Kept& kept) {
    return box_in(before, kept.before) != box_in(now, kept.now.element.bounds);
  });
}

}  // namespace handrail::actions::plan

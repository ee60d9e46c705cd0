#include "actions/plan/delta.h"

#include <algorithm>
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
      ++delta.same;
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

}  // namespace handrail::actions::plan

#include "actions/plan/tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/elements.h"
#include "actions/plan/index.h"
#include "base/one_line.h"

namespace handrail::actions::plan {
namespace {

constexpr std::size_t kTextBytes = 80;

std::string line_of(const SeenElement& seen) {
  const Element& element = seen.element;
  std::string line = fmt::format("#{} {}", seen.number, one_line(element.role));
  const std::string& name = element.name.empty() ? element.description : element.name;
  if (!name.empty()) line += " " + quoted(name, kTextBytes);
  if (!element.bounds.empty()) line += fmt::format(" @ ({})", fmt::join(box_in(points_look(), element.bounds), ", "));
  const bool secret = element.states.has(ElementState::secret);
  if (!secret && !element.value.empty() && element.value != element.name)
    line += " = " + quoted(element.value, kTextBytes);
  const auto states = state_words(element);
  return states.empty() ? line : line + fmt::format(" {}", fmt::join(states, " "));
}

}  // namespace

bool tells_something(const Element& element) {
  return interactive(element) || !element.name.empty() || !element.value.empty();
}

std::string tree_text(std::vector<SeenElement>& elements) {
  std::string text;
  std::vector<int> above;  // depths of those that the next line is in
  int number = 0;
  for (SeenElement& each : elements) {
    each.number = ++number;
    const int depth = each.element.depth;
    while (!above.empty() && above.back() >= depth) above.pop_back();
    text += std::string(2 * above.size(), ' ') + line_of(each) + "\n";
    above.push_back(depth);
  }
  return text;
}

const SeenElement* smallest_at(const std::vector<SeenElement>& elements, Point at) {
  const SeenElement* best = nullptr;
  const auto size = [](const SeenElement& each) { return each.element.bounds.width * each.element.bounds.height; };
  for (const SeenElement& each : elements) {
    if (each.element.bounds.contains(at) && (best == nullptr || size(each) <= size(*best))) best = &each;
  }
  return best;
}

}  // namespace handrail::actions::plan

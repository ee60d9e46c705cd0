#include "platform/atspi/chosen.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "platform/atspi/tree_search.h"

namespace handrail::atspi {

bool passes(const Node& node, const std::string& toolkit, bool showing) {
  return !showing || node.path == kRoot || has(node.states, StateBit::showing) || !tells_showing(toolkit);
}

std::vector<Chosen> choose(const Mirror& app, bool showing, std::size_t most, Cut& cut) {
  std::vector<Chosen> chosen;
  std::unordered_set<std::string_view> seen{kRoot};
  const auto add_children = [&](const Node& node, int index, int depth) {
    const auto told = static_cast<std::size_t>(std::max(0, node.child_count));
    if (has(node.states, StateBit::manages_descendants) && (node.child_count < 0 || node.child_count > kMostRows)) {
      if (told > 0 || node.child_count < 0) cut.unbounded = true;
      cut.left_out += told;
      return;
    }
    if (depth >= kDeepestElement) {
      if (told > 0) cut.depth = true;
      cut.left_out += told;
      return;
    }
    if ((!node.listed || node.cut) && !(node.sparse && showing)) {
      // It was not asked for all of them, for lack of room.
      if (told > node.children.size() || (node.child_count < 0 && !node.listed)) cut.most = true;
      cut.left_out += told - std::min(told, node.children.size());
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const auto child = app.nodes.find(node.children[i]);
      if (child == app.nodes.end() || !child->second.described) {
        const bool unknown = child == app.nodes.end() && !node.children[i].empty();
        if (unknown) cut.most = true;
        if (unknown) ++cut.left_out;
        continue;
      }
      if (!passes(child->second, app.toolkit, showing) || !seen.insert(child->first).second) continue;
      if (chosen.size() >= most) {
        cut.most = true;
        ++cut.left_out;
        continue;
      }
      chosen.push_back({&child->second, index, static_cast<int>(i), depth});
    }
  };
  const auto root = app.nodes.find(kRoot);
  if (root == app.nodes.end()) return chosen;
  add_children(root->second, -1, 0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    add_children(*chosen[i].node, static_cast<int>(i), chosen[i].depth + 1);
  }
  return chosen;
}

std::vector<std::string> guess_above(const Mirror& app, const std::string& object) {
  std::unordered_map<std::string_view, std::string_view> parents;
  for (const auto& [path, node] : app.nodes) {
    for (const std::string& child : node.children) parents.emplace(child, path);
  }
  std::vector<std::string> above;
  std::string_view at = object;
  while (at != kRoot && above.size() < static_cast<std::size_t>(kDeepestElement)) {
    const auto parent = parents.find(at);
    if (parent == parents.end()) return {};
    at = parent->second;
    above.emplace_back(at);
  }
  if (at != kRoot) above.clear();
  return above;
}

}  // namespace handrail::atspi

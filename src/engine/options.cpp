// The part of a call that finds out which option a combo box shows. A tree does not say it for most toolkits.
#include <algorithm>

#include "engine/call_context.h"

namespace handrail::engine {
namespace {

// Each is asked on its own, which is worth it for a few.
constexpr int kMostAsked = 24;
// In a text of a browser's: something else than text stands here.
constexpr std::string_view kObject = "\ufffc";

// GTK 4 has it as the label of the button inside.
std::string label_of(const ElementId& id, const std::vector<ElementTree>& trees) {
  constexpr std::size_t kLooked = 12;
  for (const ElementTree& tree : trees) {
    const auto combo = std::ranges::find(tree.elements, id, &Element::id);
    if (combo == tree.elements.end()) continue;
    const auto first = static_cast<std::size_t>(combo - tree.elements.begin()) + 1;
    for (std::size_t i = first; i < tree.elements.size() && i < first + kLooked; ++i) {
      const Element& inner = tree.elements[i];
      if (inner.depth <= combo->depth) break;
      const bool button = inner.role == "push button" || inner.role == "toggle button";
      if (std::string label = shown_name(tree, i); button && label != inner.name) return label;
    }
  }
  return {};
}

}  // namespace

void CallContext::read_options(std::vector<actions::SeenElement>& elements, const std::vector<ElementTree>& trees) {
  // Of an app that did not answer for its tree nothing more is asked.
  const auto is_mute = [](const ElementTree& tree) {
    return !tree.complete && tree.why.ends_with("stopped answering");
  };
  int asked = std::ranges::any_of(trees, is_mute) ? kMostAsked : 0;
  for (actions::SeenElement& each : elements) {
    Element& element = each.element;
    if (element.role != "combo box" || element.bounds.empty() || (!element.value.empty() && element.value != kObject))
      continue;
    element.value = label_of(each.key.id, trees);
    if (!element.value.empty() || ++asked > kMostAsked) continue;
    const auto now = computer_.accessibility()->read(each.key, Deadline::in(kBackendPatience));
    if (now.ok()) element.value = now->value;
    if (!now.ok() && now.error().code == Code::timeout) asked = kMostAsked;
  }
}

}  // namespace handrail::engine

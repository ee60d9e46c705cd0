#include "actions/ui_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/context.h"
#include "actions/plan/index.h"
#include "actions/plan/tree.h"
#include "base/counted.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMostElements = 5000;
constexpr std::size_t kManyLeftOut = 100000;
constexpr std::size_t kNameBytes = 200;

Result<ElementsSeen> all_of(ActionContext& context, const Target& target) {
  ElementsRequest request;
  request.target = target;
  request.interactive = false;
  request.values = true;
  request.most = kMostElements;
  ElementsSeen seen = TRY(context.elements(request));
  seen.window = target.window;
  return seen;
}

Result<Outcome> run_ui_tree(ActionContext& context, const UiTree& tree) {
  std::optional<WindowId> window;
  if (tree.window) window = static_cast<WindowId>(*tree.window);
  const bool first = tree.app.empty() && !window && !context.last_target();
  const Target target = TRY(context.aim(first ? "screen" : tree.app, window));
  ElementsSeen seen = TRY(all_of(context, target));
  if (!tree.all) std::erase_if(seen.elements, [](const auto& each) { return !plan::tells_something(each.element); });
  const auto most = static_cast<std::size_t>(tree.max_elements);
  if (seen.elements.size() > most) {
    seen.left_out += seen.elements.size() - most;
    seen.elements.resize(most);
  }
  std::string text = plan::tree_text(seen.elements);
  if (seen.left_out > 0) text += fmt::format("+{} more\n", std::min(seen.left_out, kManyLeftOut));
  context.remember(seen);
  UiTreeResult result{target.screen ? "screen" : target.app, static_cast<std::int64_t>(target.window),
                      static_cast<int>(seen.elements.size()), static_cast<int>(std::min(seen.left_out, kManyLeftOut))};
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}: {}, by number; boxes are x, y, width, height in logical points.",
                             one_line(result.app), counted(seen.elements.size(), "element"));
  if (!seen.any) outcome.text += " The app tells nobody about its elements: use a screenshot, coordinates and keys.";
  if (!seen.complete) outcome.text += fmt::format(" The list is cut: {}.", seen.why);
  outcome.untrusted = std::move(text);
  return outcome;
}

// The window that a person would point at there.
Result<std::optional<WindowId>> window_at(ActionContext& context, Point at) {
  std::optional<WindowId> top;
  for (const Window& window : TRY(context.windows())) {
    if (window.visible && window.bounds.contains(at)) top = window.id;
  }
  return top;
}

// Numbers that are told already keep their meaning, as long as they are of this window.
int number_for(ActionContext& context, const SeenElement& found, const Target& target) {
  ElementsSeen known = context.remembered();
  if (known.window != target.window) known = {};
  const auto same = std::ranges::find(known.elements, found.key, &SeenElement::key);
  if (same != known.elements.end()) return same->number;
  int highest = 0;
  for (const SeenElement& each : known.elements) highest = std::max(highest, each.number);
  known.elements.push_back(found);
  known.elements.back().number = highest + 1;
  known.window = target.window;
  context.remember(known);
  return highest + 1;
}

Result<Outcome> run_element_at(ActionContext& context, const ElementAt& asked) {
  const Point at = TRY(context.locate(asked.at, asked.basis, "at"));
  const auto window = TRY(window_at(context, at));
  ElementAtResult result;
  if (!window) {
    Outcome outcome = observed(describe::encode(result));
    outcome.text = "There is no window.";
    return outcome;
  }
  const Target target = TRY(context.aim("", window));
  const ElementsSeen seen = TRY(all_of(context, target));
  result.app = target.app;
  result.window = static_cast<std::int64_t>(target.window);
  const SeenElement* found = plan::smallest_at(seen.elements, at);
  if (found == nullptr) {
    Outcome outcome = observed(describe::encode(result));
    outcome.text = fmt::format("{} tells of no element there.", one_line(target.app));
    return outcome;
  }
  const Element& element = found->element;
  result.found = true;
  result.element = number_for(context, *found, target);
  result.role = element.role;
  result.name = element.name;
  if (!element.states.has(ElementState::secret)) result.value = element.value;
  result.states = state_words(element);
  result.box = plan::box_in(plan::points_look(), element.bounds);
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("Element {} of {}, a {}.", result.element, one_line(target.app), one_line(element.role));
  outcome.untrusted = fmt::format("{} = {}", quoted(result.name, kNameBytes), quoted(result.value, kNameBytes));
  return outcome;
}

constexpr std::array kTree{
    Example{"Everything that an app shows.", R"({"app": "mousepad"})"},
    Example{"Containers too.", R"({"app": "mousepad", "max_elements": 500, "all": true})"},
};
constexpr std::array kAt{Example{"What is under a point.", R"({"at": [640, 400]})"}};

constexpr std::array kTreeActions{
    action<UiTree, UiTreeResult, run_ui_tree>(
        "ui_tree", Category::observe, Touches::nothing, Tier::read, Capability::accessibility,
        "List the elements of an app as an indented tree, each with its number.", kTree),
    action<ElementAt, ElementAtResult, run_element_at>("element_at", Category::ax, Touches::nothing, Tier::read,
                                                       Capability::accessibility,
                                                       "Tell which element is at a point, and number it.", kAt),
};

}  // namespace

std::span<const catalog::ActionSpec> tree_actions() { return kTreeActions; }

}  // namespace handrail::actions

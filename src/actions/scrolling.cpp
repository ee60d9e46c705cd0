#include "actions/scrolling.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "actions/context.h"
#include "actions/elements.h"

namespace handrail::actions {
namespace {

// What one tick of a wheel is to most toolkits, in the units of their bars: pixels.
constexpr double kTick = 50;
// Between what scrolls and its bar there may be a frame or two.
constexpr int kDeep = 2;

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_bar(const Element& element, bool upright) {
  return element.role == "scroll bar" && (element.bounds.height > element.bounds.width) == upright &&
         number_of(element.value).has_value();
}

bool is_below(const std::vector<SeenElement>& all, std::size_t each, int above) {
  int at = static_cast<int>(each);
  for (int deep = 0; deep <= kDeep && at >= 0; ++deep) {
    if (at == above) return true;
    at = all[static_cast<std::size_t>(at)].element.parent;
  }
  return false;
}

// Of the element, else of the nearest that it is in.
std::optional<SeenElement> bar_of(const std::vector<SeenElement>& all, const ElementId& id, bool upright) {
  const auto start = std::ranges::find_if(all, [&](const SeenElement& each) { return each.element.id == id; });
  if (start == all.end()) return std::nullopt;
  for (int above = static_cast<int>(start - all.begin()); above >= 0;) {
    for (std::size_t each = 0; each < all.size(); ++each) {
      if (is_bar(all[each].element, upright) && is_below(all, each, above)) return all[each];
    }
    above = all[static_cast<std::size_t>(above)].element.parent;
  }
  return std::nullopt;
}

}  // namespace

Result<Outcome> scroll_by_bar(ActionContext& context, const SeenElement& seen, ScrollDirection direction, int amount) {
  ElementsRequest request;
  request.target = TRY(context.aim("", {}));
  request.interactive = false;
  request.values = true;
  request.most = 5000;
  const ElementsSeen all = TRY(context.elements(request));
  const Point ticks = wheel_ticks(direction, amount);
  const auto bar = bar_of(all.elements, seen.element.id, ticks.y != 0);
  if (!bar) return needs_front(fmt::format("The {} tells of no scroll bar: scrolling it", seen.element.role));
  const double at = *number_of(bar->element.value);
  const bool back = ticks.x + ticks.y < 0;
  // Where it ends is found out by going less far.
  for (double step = kTick * amount; step >= 1; step = std::floor(step / 2)) {
    const double to = back ? std::max(0.0, at - step) : at + step;
    if (to == at) break;
    Result<Outcome> moved =
        context.perform(ActOnElement{bar->key, ElementVerb::set_value, fmt::format("{:.10g}", to), {}});
    if (!moved.ok() && moved.error().code == Code::argument_invalid) continue;
    if (!moved.ok() && moved.error().code == Code::capability_unsupported) return needs_front("Scrolling this");
    if (moved.ok() && moved->effect == Effect::confirmed)
      moved->text = fmt::format("Scrolled: its bar was at {:.10g} and is at {:.10g} now.", at, to);
    return moved;
  }
  Outcome outcome = acted(Route::accessibility, Delivery::background, {Evidence::value_readback});
  outcome.text = fmt::format("It is at its end already: its bar is at {:.10g}.", at);
  return outcome;
}

}  // namespace handrail::actions

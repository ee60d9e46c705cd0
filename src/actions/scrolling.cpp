#include "actions/scrolling.h"

#include <fmt/format.h>

#include <algorithm>
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

using Place = std::optional<std::size_t>;

Place place_of(const std::vector<SeenElement>& all, const ElementId& id) {
  const auto found = std::ranges::find_if(all, [&](const SeenElement& each) { return each.element.id == id; });
  return found == all.end() ? Place() : Place(static_cast<std::size_t>(found - all.begin()));
}

// The smallest; of equal ones the innermost.
Place place_at(const std::vector<SeenElement>& all, Point at) {
  Place best;
  double least = 0;
  for (std::size_t each = 0; each < all.size(); ++each) {
    const Rect& bounds = all[each].element.bounds;
    const double size = bounds.width * bounds.height;
    if (!bounds.contains(at) || (best && size > least)) continue;
    best = each;
    least = size;
  }
  return best;
}

// Of the nearest that it is in; of one that has been scrolled away, the only one that there is.
std::optional<SeenElement> bar_of(const std::vector<SeenElement>& all, Place start, bool upright) {
  std::vector<std::size_t> bars;
  for (std::size_t each = 0; each < all.size(); ++each) {
    if (is_bar(all[each].element, upright)) bars.push_back(each);
  }
  if (!start) return bars.size() == 1 ? std::optional(all[bars.front()]) : std::nullopt;
  for (int above = static_cast<int>(*start); above >= 0;) {
    for (const std::size_t each : bars) {
      if (is_below(all, each, above)) return all[each];
    }
    above = all[static_cast<std::size_t>(above)].element.parent;
  }
  return std::nullopt;
}

Result<std::vector<SeenElement>> all_that_shows(ActionContext& context) {
  ElementsRequest request;
  request.target = TRY(context.aim("", {}));
  if (request.target.screen) return needs_front("Scrolling on the whole screen");
  request.interactive = false;
  request.values = true;
  request.most = 5000;
  ElementsSeen seen = TRY(context.elements(request));
  return std::move(seen.elements);
}

Outcome told(Outcome outcome, double from, double to) {
  if (from == to) {
    outcome = acted(Route::accessibility, Delivery::background, {});
    outcome.effect = Effect::suspected_noop;
    outcome.text = fmt::format("Nothing moved: its bar is at {:.10g}, its end.", to);
  } else if (outcome.effect == Effect::confirmed) {
    outcome.text = fmt::format("Scrolled: its bar was at {:.10g} and is at {:.10g} now.", from, to);
  }
  return outcome;
}

Result<Outcome> move_bar(ActionContext& context, const std::vector<SeenElement>& all, Place start, Point ticks) {
  const auto bar = bar_of(all, start, ticks.y != 0);
  if (!bar) return needs_front("There is no scroll bar that tells where it is: scrolling this");
  const double from = *number_of(bar->element.value);
  const bool back = ticks.x + ticks.y < 0;
  double at = from, left = kTick * std::abs(ticks.x + ticks.y);
  Outcome outcome;
  // Where it ends is found out by going less far.
  double step = left;
  while (step >= 1) {
    const double to = back ? std::max(0.0, at - step) : at + step;
    if (to == at) break;
    Result<Outcome> moved =
        context.perform(ActOnElement{bar->key, ElementVerb::set_value, fmt::format("{:.10g}", to), {}});
    if (!moved.ok() && moved.error().code == Code::argument_invalid) {
      step = std::floor(step / 2);
      continue;
    }
    if (!moved.ok() && moved.error().code == Code::capability_unsupported) return needs_front("Scrolling this");
    outcome = TRY(std::move(moved));
    if (outcome.dry_run || outcome.effect != Effect::confirmed) return outcome;
    left -= std::abs(to - at);
    at = to;
    step = std::min(step, left);
  }
  return told(std::move(outcome), from, at);
}

}  // namespace

bool may_wheel(ActionContext& context, const Error& refused) {
  return refused.code == Code::capability_unsupported && context.has_own_hand();
}

Result<Outcome> scroll_by_bar(ActionContext& context, const SeenElement& seen, ScrollDirection direction, int amount) {
  const std::vector<SeenElement> all = TRY(all_that_shows(context));
  return move_bar(context, all, place_of(all, seen.element.id), wheel_ticks(direction, amount));
}

Result<Outcome> scroll_by_bar(ActionContext& context, Point at, ScrollDirection direction, int amount) {
  const std::vector<SeenElement> all = TRY(all_that_shows(context));
  const Place there = place_at(all, at);
  if (!there) return needs_front("Scrolling here");
  return move_bar(context, all, there, wheel_ticks(direction, amount));
}

}  // namespace handrail::actions

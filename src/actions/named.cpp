#include "actions/named.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/context.h"
#include "actions/field_typing.h"
#include "actions/plan/find.h"
#include "actions/plan/index.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMostElements = 5000;
constexpr std::size_t kMostNumbered = 20;
constexpr std::size_t kMostCandidates = 5;
constexpr std::size_t kNameBytes = 60;

Error several(const std::vector<plan::Fit>& best) {
  std::string candidates;
  for (std::size_t i = 0; i < best.size() && i < kMostCandidates; ++i) {
    const Element& element = best[i].element.element;
    candidates += fmt::format("{}element {}: {} {} at ({})", i == 0 ? "" : "; ", best[i].element.number,
                              one_line(element.role), quoted(element.name, kNameBytes),
                              fmt::join(plan::box_in(plan::points_look(), element.bounds), ", "));
  }
  return make_error(Code::ambiguous, fmt::format("{} elements fit equally well: {}.", best.size(), candidates))
      .with_field("name", "a label or a role that only one of them has")
      .with_hint("Use the number of the one that is meant, or give its whole label and its role.");
}

// The number of the one element that fits best. Those that show come before those that do not.
Result<int> best_fit(ActionContext& context, const std::string& app, const std::string& name, const std::string& role) {
  ElementsRequest request;
  request.target = TRY(context.aim(app, {}));
  request.interactive = false;
  request.values = true;
  request.most = kMostElements;
  ElementsSeen seen = TRY(context.elements(request));
  std::vector<plan::Fit> fits = plan::fits(std::move(seen.elements), name, role);
  if (fits.empty()) {
    return make_error(Code::not_found, "No element of the app has that label and role.")
        .with_field(name.empty() ? "role" : "name", "a label or role that the app shows")
        .with_hint("List the elements with `ui_tree`.");
  }
  std::ranges::stable_partition(fits, [](const plan::Fit& fit) { return !fit.element.element.bounds.empty(); });
  if (fits.size() > kMostNumbered) fits.resize(kMostNumbered);
  seen.elements.clear();
  seen.window = request.target.window;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    fits[i].element.number = static_cast<int>(i) + 1;
    seen.elements.push_back(fits[i].element);
  }
  context.remember(seen);
  const bool shows = !fits.front().element.element.bounds.empty();
  const int score = fits.front().score;
  std::erase_if(
      fits, [&](const plan::Fit& fit) { return fit.score != score || fit.element.element.bounds.empty() == shows; });
  if (fits.size() > 1) return several(fits);
  return fits.front().element.number;
}

Result<Outcome> run_click(ActionContext& context, const ClickNamed& click) {
  const int number = TRY(best_fit(context, click.app, click.name, click.role));
  return click_element(context, {number, click.button, click.count, {}, click.delivery});
}

Result<Outcome> run_type(ActionContext& context, const TypeNamed& type) {
  const int number = TRY(best_fit(context, type.app, type.name, type.role));
  return type_into(context, {type.text, number, {}, type.delivery});
}

Result<Outcome> run_value(ActionContext& context, const ValueNamed& value) {
  return element_value(context, {TRY(best_fit(context, value.app, value.name, value.role))});
}

Status check_named(const std::string& name, const std::string& role) {
  if (!name.empty() || !role.empty()) return {};
  return make_error(Code::argument_invalid, "`name` is missing.").with_field("name", "a label, or a role beside it");
}

constexpr std::array kClick{
    Example{"Press a button by its label.", R"({"app": "mousepad", "name": "Save", "role": "push button"})"}};
constexpr std::array kType{
    Example{"Fill in a field by its label.", R"({"app": "mousepad", "name": "Search", "text": "Grüße"})"}};
constexpr std::array kValue{Example{"Read a field by its label.", R"({"app": "mousepad", "name": "Search"})"}};

constexpr std::array kNamedActions{
    action<ClickNamed, NoResult, run_click>("click_named", Category::ax, Touches::elements, Tier::click,
                                            Capability::accessibility,
                                            "Press the element that fits a label and a role best.", kClick),
    action<TypeNamed, NoResult, run_type>("type_named", Category::ax, Touches::elements, Tier::full,
                                          Capability::accessibility,
                                          "Type at the end of the field that fits a label and a role best.", kType),
    action<ValueNamed, ElementValue, run_value>("value_named", Category::ax, Touches::nothing, Tier::read,
                                                Capability::accessibility,
                                                "Read the element that fits a label and a role best.", kValue),
};

}  // namespace

Status check(const ClickNamed& click) { return check_named(click.name, click.role); }
Status check(const TypeNamed& type) { return check_named(type.name, type.role); }
Status check(const ValueNamed& value) { return check_named(value.name, value.role); }

std::span<const catalog::ActionSpec> named_actions() { return kNamedActions; }

}  // namespace handrail::actions

#include "actions/plan/find.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace handrail::actions::plan {
namespace {

std::string folded(std::string_view text) {
  constexpr std::string_view kEllipsis = "…";
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  // Labels end in either.
  for (std::size_t at = 0; (at = out.find(kEllipsis, at)) != std::string::npos;)
    out.replace(at, kEllipsis.size(), "...");
  return out;
}

int name_score(const std::string& asked, const std::string& text) {
  if (text == asked) return 100;
  if (text.starts_with(asked) || text.ends_with(asked)) return 60;
  return text.find(asked) != std::string::npos ? 30 : 0;
}

bool holds_others(const std::string& role) {
  constexpr std::array<std::string_view, 9> kContainers{
      "filler", "panel", "frame", "viewport", "scroll pane", "window", "application", "section", "layered pane"};
  return std::ranges::find(kContainers, role) != kContainers.end();
}

std::optional<int> score(const Element& element, const std::string& name, const std::string& role) {
  int total = 0;
  if (!name.empty()) {
    const int fits =
        std::max({name_score(name, folded(element.name)), name_score(name, folded(element.description)) / 2,
                  name_score(name, folded(element.value)) / 2});
    if (fits == 0) return std::nullopt;
    total += fits;
  }
  if (!role.empty()) {
    const std::string own = folded(element.role);
    if (own == role) {
      total += 50;
    } else if (own.find(role) != std::string::npos) {
      total += 25;
    } else {
      return std::nullopt;
    }
  }
  if (interactive(element)) total += 40;
  if (holds_others(element.role)) total -= 40;
  return total;
}

}  // namespace

std::vector<Fit> fits(std::vector<SeenElement> elements, const std::string& name, const std::string& role) {
  const std::string wanted_name = folded(name);
  const std::string wanted_role = folded(role);
  std::vector<Fit> fitting;
  for (SeenElement& each : elements) {
    if (const auto points = score(each.element, wanted_name, wanted_role))
      fitting.push_back({*points, std::move(each)});
  }
  std::ranges::stable_sort(fitting, std::ranges::greater{}, &Fit::score);
  return fitting;
}

std::vector<SeenElement> ranked(std::vector<SeenElement> elements, const std::string& name, const std::string& role) {
  std::vector<SeenElement> best;
  for (Fit& each : fits(std::move(elements), name, role)) best.push_back(std::move(each.element));
  return best;
}

}  // namespace handrail::actions::plan

#include "platform/atspi/shown_option.h"

#include <algorithm>

#include "platform/atspi/act.h"
#include "platform/atspi/mirror.h"

namespace handrail::atspi {
namespace {

bool holds_options(const Thing& thing) {
  return thing.is("menu") || thing.is("list") || thing.is("list box") || thing.is("popup menu");
}

}  // namespace

Result<std::string> shown_option(AppCalls& app, const Thing& combo) {
  if (combo.can(kSelection)) {
    const std::optional<Thing> chosen = TRY(app.chosen(combo.path));
    if (chosen) return label_of(app, *chosen);
  }
  const std::vector<Thing> parts = TRY(app.children(combo.path));
  for (const Thing& list : parts) {
    if (!list.can(kSelection)) continue;
    const std::optional<Thing> chosen = TRY(app.chosen(list.path));
    if (chosen) return label_of(app, *chosen);
  }
  // Qt gives it as the name, unless the combo box has one of its own.
  for (const Thing& list : parts) {
    if (!holds_options(list)) continue;
    const std::vector<Thing> options = TRY(app.children(list.path));
    if (std::ranges::find(options, combo.name, &Thing::name) != options.end()) return combo.name;
  }
  return std::string();
}

}  // namespace handrail::atspi

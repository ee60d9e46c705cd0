#include "catalog/catalog.h"

#include <fmt/format.h>

#include "base/nearest.h"

namespace handrail::catalog {

Catalog::Catalog(std::vector<std::span<const ActionSpec>> groups) {
  for (const auto& group : groups) {
    for (const ActionSpec& spec : group) specs_.push_back(&spec);
  }
}

Result<const ActionSpec*> Catalog::find(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const ActionSpec* spec : specs_) {
    if (spec->name == name) return spec;
    names.push_back(spec->name);
  }
  Error error = make_error(Code::action_unknown, fmt::format("There is no action `{}`.", shortened(name, 60)));
  error.hint = did_you_mean(nearest_some(name, names));
  return error;
}

Result<ActionCall> Catalog::call(std::string_view name, Json params) const {
  ActionCall call;
  call.spec = TRY(find(name));
  call.params = TRY(call.spec->decode(params));
  call.arguments = std::move(params);
  return call;
}

}  // namespace handrail::catalog

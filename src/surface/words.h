// Texts of the catalog name its actions and fields; a surface has its own names for them. This puts the one for the
// other, and leaves out sentences of hints that name an action which the surface does not have.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "model/outcome.h"

namespace handrail::surface {

struct Renamed {
  std::string_view from;
  std::string_view to;
};

struct Words {
  const catalog::Catalog* catalog = nullptr;
  std::span<const Renamed> actions{};
  std::span<const Renamed> fields{};      // that are found wrong only while the action runs
  std::vector<std::string_view> names{};  // of all that the surface has
};

Result<Outcome> in_words_of(Result<Outcome> outcome, const Words& words);
std::string hint_in_words(std::string_view hint, const Words& words);

}  // namespace handrail::surface

// What actions and gates say in words of the catalog, in the words of the one tool: it has fewer actions, and other
// names for their parameters. Pure.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "model/outcome.h"

namespace handrail::surface {

// Sentences of hints that name an action which the tool does not have are left out.
Result<Outcome> in_universal_words(Result<Outcome> outcome, const catalog::Catalog& catalog);
std::string hint_in_universal_words(std::string_view hint, const catalog::Catalog& catalog);

}  // namespace handrail::surface

// Ranking of elements by how well they fit a name and a role. Pure.
#pragma once

#include <string>
#include <vector>

#include "actions/context.h"

namespace handrail::actions::plan {

// Those that fit, the best first, equal ones in their order. A name fits exactly (100), at its begin or end (60) or
// inside (30); a role exactly (50) or in part (25); what can be acted on gains 40, what only holds others loses 40.
// What was asked for and does not fit at all leaves an element out.
struct Fit {
  int score = 0;
  SeenElement element;
};
std::vector<Fit> fits(std::vector<SeenElement> elements, const std::string& name, const std::string& role);
// The same without the scores.
std::vector<SeenElement> ranked(std::vector<SeenElement> elements, const std::string& name, const std::string& role);

}  // namespace handrail::actions::plan

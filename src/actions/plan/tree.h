// Elements as an indented list that a model can read. Pure.
#pragma once

#include <string>
#include <vector>

#include "actions/context.h"

namespace handrail::actions::plan {

// What is worth a line: something to act on, or with a name or a value of its own.
bool tells_something(const Element& element);
// Numbers them from 1 and writes one line for each, two spaces deeper below whatever is listed above it. Boxes are in
// logical desktop points.
std::string tree_text(std::vector<SeenElement>& elements);
// The smallest element that holds the point, the deepest of equal ones; nothing when none does.
const SeenElement* smallest_at(const std::vector<SeenElement>& elements, Point at);

}  // namespace handrail::actions::plan

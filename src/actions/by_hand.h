// What accessibility cannot do to an element, done as a person would: its window comes to the front, the pointer and
// the keys act, what opened is found by its elements, and everything that was in front comes back.
#pragma once

#include <string>

#include "actions/context.h"

namespace handrail::actions {

// Its centre; refused when it shows nowhere.
Result<Point> centre_of(const SeenElement& seen);

bool can_by_hand(const Element& element);

// A switch, a branch, an option of what opens when it is clicked, or a text; read back.
Result<Outcome> set_by_hand(ActionContext& context, const SeenElement& seen, const std::string& value);

}  // namespace handrail::actions

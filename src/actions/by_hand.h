// What accessibility cannot do to an element, done as a person would: the pointer and the keys act, and what opened is
// found by its elements. In the foreground these are the person's, and what was in front comes back; in the background
// they are the agent's own.
#pragma once

#include <string>

#include "actions/context.h"

namespace handrail::actions {

// Its centre; refused when it shows nowhere.
Result<Point> centre_of(const SeenElement& seen);

// A list or a menu, when it is clicked.
bool opens(const Element& element);

bool can_by_hand(const Element& element);

// A switch, a branch, an option of what opens when it is clicked, or a text; read back.
Result<Outcome> set_by_hand(ActionContext& context, const SeenElement& seen, const std::string& value,
                            Delivery delivery);

}  // namespace handrail::actions

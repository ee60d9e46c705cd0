// Pressing an element in the background, as a click on it would.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/outcome.h"

namespace handrail::actions {

class ActionContext;
struct SeenElement;

// What the app itself offers goes first; else `how` the pointer can do it, when it is asked for.
Error or_in_front(Error refused, std::string_view how);

// Ends when the press has: a button that springs back by itself is up again.
Result<Outcome> press(ActionContext& context, const SeenElement& seen);

}  // namespace handrail::actions

// Pressing an element in the background, as a click on it would.
#pragma once

#include "base/result.h"
#include "model/outcome.h"

namespace handrail::actions {

class ActionContext;
struct SeenElement;

// Ends when the press has: a button that springs back by itself is up again.
Result<Outcome> press(ActionContext& context, const SeenElement& seen);

}  // namespace handrail::actions

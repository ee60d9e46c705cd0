// Scrolling in the background, by the scroll bar that an app tells of.
#pragma once

#include "actions/mouse.h"
#include "base/result.h"
#include "model/outcome.h"

namespace handrail::actions {

class ActionContext;
struct SeenElement;

// Moves the scroll bar of what holds the element, and reads it back; refused where there is none to be found.
Result<Outcome> scroll_by_bar(ActionContext& context, const SeenElement& seen, ScrollDirection direction, int amount);
// Of what is at the point.
Result<Outcome> scroll_by_bar(ActionContext& context, Point at, ScrollDirection direction, int amount);

// It has no bar, but the agent's own pointer may turn its wheel.
bool may_wheel(ActionContext& context, const Error& refused);

}  // namespace handrail::actions

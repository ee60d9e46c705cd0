// Pressing an element in the background, as a click on it would.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "model/geometry.h"
#include "model/outcome.h"

namespace handrail::actions {

class ActionContext;
struct SeenElement;

// What the app itself offers goes first; else `how` the pointer can do it, when it is asked for.
// Whether the agent's own pointer may do what the app offers no way to. What is disabled, or says itself what to do next,
// is left alone, and so is what would open something that nobody closes: its value is set instead.
bool may_by_hand(ActionContext& context, const Element& element, const Error& refused);
// The other buttons open menus, and paste.
bool may_click_beside(ActionContext& context, Button button);
Error or_in_front(Error refused, std::string_view how);

// Ends when the press has: a button that springs back by itself is up again.
// `at` is the point that was named, when it was no element.
Result<Outcome> press(ActionContext& context, const SeenElement& seen, std::optional<Point> at = {});

}  // namespace handrail::actions

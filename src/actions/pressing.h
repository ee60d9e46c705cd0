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
// Nothing was done, as the app offers no way to it; what is disabled, or says itself what to do next, is left alone.
bool may_by_hand(ActionContext& context, const Result<Outcome>& done);
Error or_in_front(Error refused, std::string_view how);

// Ends when the press has: a button that springs back by itself is up again.
// `at` is the point that was named, when it was no element.
Result<Outcome> press(ActionContext& context, const SeenElement& seen, std::optional<Point> at = {});

}  // namespace handrail::actions

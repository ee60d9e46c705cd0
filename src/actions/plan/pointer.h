// Pointer plans: pure functions from what was asked to the steps that do it.
#pragma once

#include <vector>

#include "model/input_plan.h"

namespace handrail::actions::plan {

InputPlan move(Point at);
// The modifiers are held around all clicks.
InputPlan click(Point at, Button button, int count, const std::vector<Modifier>& modifiers);
// At least two points. Paced, because a drag in one burst is a click to many apps.
InputPlan drag(const std::vector<Point>& points, Button button, const std::vector<Modifier>& modifiers);
InputPlan scroll(Point at, int right, int down, const std::vector<Modifier>& modifiers);
InputPlan press(Button button);
InputPlan release(Button button);

}  // namespace handrail::actions::plan

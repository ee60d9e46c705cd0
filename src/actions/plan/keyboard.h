// Keyboard plans: pure functions from what was asked to the steps that do it.
#pragma once

#include "model/input_plan.h"

namespace handrail::actions::plan {

InputPlan type(std::string text);
// Down in order, up in reverse, `repeat` times.
InputPlan press_chord(const Chord& chord, int repeat);
InputPlan hold_chord(const Chord& chord, Millis span);
// Only half of it: they stay down, or come up again.
InputPlan keys_down(const Chord& chord);
InputPlan keys_up(const Chord& chord);

}  // namespace handrail::actions::plan

// What a plan alone tells the gates: nothing here asks the desktop.
#pragma once

#include <string>
#include <vector>

#include "computer/ports.h"
#include "model/input_plan.h"
#include "policy/facts.h"
#include "policy/text_window.h"

namespace handrail::engine {

// The plan as it comes out while these keys are down already.
InputPlan with_held(const InputPlan& plan, const std::vector<Key>& held);
// Chords as the plan spells them. What really lies on the keys is judged again with each event.
std::vector<KeyChord> chords_of(const InputPlan& plan);
// Where it would touch the desktop, as the agent named it.
std::vector<Point> points_of(const Plan& plan);
// Input, windows and opened apps use the person's pointer, keyboard or focus; all else is done behind their back.
bool uses_seat(const Plan& plan);
bool types(const InputPlan& plan);
bool writes_text(const ActOnElement& act);
// What an app would be asked to do, by the names that its elements and actions have.
std::vector<std::string> deeds_of(const ActOnElement& act);
std::vector<std::string> deeds_of(const CallService& call);
// What Ctrl+V, Shift+Insert, a middle click and their kin put into the target without any call having brought it.
std::vector<Selection> pastes(const InputPlan& plan);
policy::TextWindow typed(policy::TextWindow window, const InputPlan& plan);

}  // namespace handrail::engine

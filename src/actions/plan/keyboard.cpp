#include "actions/plan/keyboard.h"

namespace handrail::actions::plan {
namespace {

void down(InputPlan& plan, const Chord& chord) {
  for (const Key key : chord.keys) plan.steps.push_back(KeyDown{key});
}

void up(InputPlan& plan, const Chord& chord) {
  for (auto it = chord.keys.rbegin(); it != chord.keys.rend(); ++it) plan.steps.push_back(KeyUp{*it});
}

}  // namespace

InputPlan type(std::string text) { return {{TypeText{std::move(text)}}}; }

InputPlan press_chord(const Chord& chord, int repeat) {
  InputPlan plan;
  for (int i = 0; i < repeat; ++i) {
    down(plan, chord);
    up(plan, chord);
  }
  return plan;
}

InputPlan hold_chord(const Chord& chord, Millis span) {
  InputPlan plan;
  down(plan, chord);
  plan.steps.push_back(Pause{span});
  up(plan, chord);
  return plan;
}

InputPlan keys_down(const Chord& chord) {
  InputPlan plan;
  down(plan, chord);
  return plan;
}

InputPlan keys_up(const Chord& chord) {
  InputPlan plan;
  up(plan, chord);
  return plan;
}

}  // namespace handrail::actions::plan

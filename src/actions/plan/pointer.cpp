#include "actions/plan/pointer.h"

#include <cmath>

namespace handrail::actions::plan {
namespace {

// One step a frame; toolkits start a drag only after they have seen motion between frames.
constexpr Millis kFrame{8};
constexpr double kPointsPerFrame = 40;
constexpr int kMaxFrames = 30;

void hold(InputPlan& plan, const std::vector<Modifier>& modifiers) {
  for (const Modifier modifier : modifiers) plan.steps.push_back(KeyDown{key_of(modifier)});
}

void let_go(InputPlan& plan, const std::vector<Modifier>& modifiers) {
  for (auto it = modifiers.rbegin(); it != modifiers.rend(); ++it) plan.steps.push_back(KeyUp{key_of(*it)});
}

void glide(InputPlan& plan, Point from, Point to) {
  const double distance = std::hypot(to.x - from.x, to.y - from.y);
  const int frames = std::clamp(static_cast<int>(std::ceil(distance / kPointsPerFrame)), 2, kMaxFrames);
  for (int frame = 1; frame <= frames; ++frame) {
    const double part = static_cast<double>(frame) / frames;
    plan.steps.push_back(MoveTo{{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part}});
    plan.steps.push_back(Pause{kFrame});
  }
}

}  // namespace

InputPlan move(Point at) { return {{MoveTo{at}}}; }

InputPlan click(Point at, Button button, int count, const std::vector<Modifier>& modifiers) {
  InputPlan plan;
  plan.steps.push_back(MoveTo{at});
  hold(plan, modifiers);
  for (int i = 0; i < count; ++i) {
    plan.steps.push_back(ButtonDown{button});
    plan.steps.push_back(ButtonUp{button});
  }
  let_go(plan, modifiers);
  return plan;
}

InputPlan drag(const std::vector<Point>& points, Button button, const std::vector<Modifier>& modifiers) {
  InputPlan plan;
  plan.steps.push_back(MoveTo{points.front()});
  hold(plan, modifiers);
  plan.steps.push_back(ButtonDown{button});
  plan.steps.push_back(Pause{kFrame});
  for (std::size_t i = 1; i < points.size(); ++i) glide(plan, points[i - 1], points[i]);
  plan.steps.push_back(ButtonUp{button});
  let_go(plan, modifiers);
  return plan;
}

InputPlan scroll(Point at, int right, int down, const std::vector<Modifier>& modifiers) {
  InputPlan plan;
  plan.steps.push_back(MoveTo{at});
  hold(plan, modifiers);
  plan.steps.push_back(Wheel{right, down});
  let_go(plan, modifiers);
  return plan;
}

InputPlan press(Button button) { return {{ButtonDown{button}}}; }

InputPlan release(Button button) { return {{ButtonUp{button}}}; }

}  // namespace handrail::actions::plan

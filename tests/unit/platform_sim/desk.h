// Short words for the unit tests of the simulated desktop.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/sim/sim_computer.h"
#include "support/test_permit.h"

namespace handrail::sim {

inline Deadline soon() { return Deadline::in(Millis(5000)); }
inline Permit permit() { return engine::PermitMint::mint(); }

inline Result<InputReport> perform(SimComputer& sim, std::vector<Step> steps, std::stop_token stop = {}) {
  return sim.input()->perform(InputPlan{std::move(steps)}, permit(), soon(), std::move(stop));
}

inline std::vector<Step> click_steps(Point at, Button button = Button::left) {
  return {MoveTo{at}, ButtonDown{button}, ButtonUp{button}};
}

inline Result<Window> change(SimComputer& sim, WindowId window, WindowVerb verb, Rect frame = {},
                             Deadline deadline = soon()) {
  return sim.windows()->change({window, verb, frame}, permit(), deadline, {});
}

// Content starts at (101, 120): a field over its top, a button and a scroll area below.
inline WindowSpec form() {
  WindowSpec spec;
  spec.title = "Form";
  spec.fields = {{{10, 10, 200, 30}, ""}, {{10, 50, 200, 30}, ""}};
  spec.buttons = {{{10, 90, 80, 30}, "OK"}};
  spec.scrolls = {{{10, 130, 200, 100}}};
  return spec;
}
inline constexpr Point kFirstField{150, 145};
inline constexpr Point kSecondField{150, 185};
inline constexpr Point kButton{150, 225};
inline constexpr Point kScroll{150, 300};

inline CaptureRequest of_window(WindowId window) {
  CaptureRequest request;
  request.window = window;
  return request;
}

inline CaptureRequest of_region(const Rect& region) {
  CaptureRequest request;
  request.region = region;
  return request;
}

inline std::vector<EventKind> kinds(const std::vector<Event>& log) {
  std::vector<EventKind> found;
  for (const Event& event : log) found.push_back(event.kind);
  return found;
}

}  // namespace handrail::sim

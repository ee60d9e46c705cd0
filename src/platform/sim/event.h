// What a simulated window received, in the order in which its app took it in. Tests read it as the
// oracle: it says what reached the app, not what was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/geometry.h"
#include "model/input_plan.h"
#include "model/key.h"

namespace handrail::sim {

enum class EventKind { motion, press, release, wheel, key_down, key_up, focus_in, focus_out };

struct Event {
  EventKind kind = EventKind::motion;
  Point at;                         // desktop points; where the pointer was
  Button button = Button::left;     // press and release
  int count = 0;                    // press and release: 1 click, 2 double, 3 triple
  Wheel wheel;                      // one tick
  Key key;                          // key_down and key_up
  std::vector<Modifier> modifiers;  // held when it happened, in the order of the enum
  Millis when{0};                   // on the virtual clock, when it was sent
  friend bool operator==(const Event&, const Event&) = default;
};

// The modifier a key is, if it is one.
std::optional<Modifier> modifier_of(Key key);

}  // namespace handrail::sim

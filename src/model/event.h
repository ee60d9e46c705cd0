// One event that is about to be sent, or was seen to arrive, as the gates judge it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/identity.h"
#include "model/input_plan.h"

namespace handrail {

// A key as it lies on the keyboard: every keysym that it can make, in all groups and levels. Judging this, not a
// spelling, is what no alias, layout or group can get round.
struct PhysicalKey {
  std::uint8_t keycode = 0;
  std::vector<std::uint32_t> keysyms;
  friend bool operator==(const PhysicalKey&, const PhysicalKey&) = default;
};

// What would be down together: the key that is pressed now and all that are held, by whomever, latched or locked
// modifiers included.
struct KeyChord {
  PhysicalKey key;
  std::vector<PhysicalKey> held;
  friend bool operator==(const KeyChord&, const KeyChord&) = default;
};

enum class EventKind {
  move,
  press,
  release,
  wheel,
  key,        // a key goes down as itself
  character,  // a key goes down as part of typed text
  received,   // a press that was sent has arrived at `receiver`
};

struct InputEvent {
  EventKind kind = EventKind::move;
  Receiver receiver;  // who gets it if it is sent now
  Point at;           // where the pointer is, or goes
  Button button = Button::left;
  bool dragging = false;  // a button is held and the pointer has moved since it went down
  KeyChord chord;         // of `key` only
  friend bool operator==(const InputEvent&, const InputEvent&) = default;
};

}  // namespace handrail

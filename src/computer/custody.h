// What another process, the guardian, undoes when this one dies, however it dies. Every call puts its word into
// the guardian's mailbox and returns; what is in the mailbox survives us. An error means that there is no guardian, and
// then nothing may be done that would need undoing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace handrail {

// Everything of ours that is down. Told before each press and after each release, always the whole.
struct HeldNow {
  std::vector<std::uint8_t> keycodes;
  std::vector<std::uint8_t> buttons;  // numbers of the display server
  friend bool operator==(const HeldNow&, const HeldNow&) = default;
};

// Things to restore, each as bytes that the platform wrote and its restorer reads.
enum class Kept { keymap, windows, clipboard };

class Custody {
 public:
  virtual ~Custody() = default;

  // The guardian is there and listens.
  virtual Status ready() = 0;
  virtual Status held(const HeldNow& now) = 0;
  // Replaces what is kept of this kind; empty bytes forget it.
  virtual Status keep(Kept what, std::string bytes) = 0;
  // The guardian restores it now and forgets it. Nothing kept is success.
  virtual Status give_back(Kept what, Deadline deadline) = 0;
  // Around a server grab: a process that is stopped inside one is ended by the guardian, so that the desktop
  // goes on. Cheap, never fails.
  virtual void grabbing(bool on) noexcept = 0;
};

}  // namespace handrail

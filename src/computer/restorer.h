// Undoes on a desktop what a process that died had done there. A platform implements it, the guardian calls it; it
// decides nothing and may be called again for what it has done already.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "computer/custody.h"

namespace handrail {

class Restorer {
 public:
  virtual ~Restorer() = default;

  // Before the others. With `dead` set it returns once the display server has done all that this process had sent,
  // so that a press that was on its way is not met after its release.
  virtual Status connect(const std::string& display, const std::string& xauthority, std::int64_t dead,
                         Deadline deadline) = 0;
  // Says what of it is left for tidy().
  virtual Result<HeldNow> release(const HeldNow& held, Deadline deadline) = 0;
  // `argument_invalid` when the bytes are no such record; trying again is of no use then.
  virtual Status restore(Kept what, std::string_view record, Deadline deadline) = 0;
  // After everything else: what may take seconds and keeps nobody waiting.
  virtual Status tidy() { return {}; }
  // As restore(Kept::clipboard), but leaves alone what somebody has copied meanwhile.
  virtual Status hold_again(std::string_view record, Deadline deadline) = 0;
  // A restored clipboard lives as long as its owner; false once others have taken all of it.
  virtual bool holding() = 0;
};

}  // namespace handrail

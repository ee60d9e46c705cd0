// One session at a time controls one desktop. The lock is fenced: a holder that was stopped while another took over
// finds out before its next event.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace handrail {

class DeskLock {
 public:
  virtual ~DeskLock() = default;

  // Takes the lock, or keeps it when it is held already. `busy` names who holds it (session, pid, since).
  virtual Status take(const std::string& session, Deadline deadline) = 0;
  // Still ours? Cheap: asked before every event. `busy` when it was taken over or replaced.
  virtual Status check() = 0;
  // Lets go; safe when nothing is held.
  virtual void release() noexcept = 0;
};

}  // namespace handrail

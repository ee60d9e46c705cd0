// Termination as something to wait for: SIGTERM, SIGINT and SIGHUP become readable on a descriptor.
#pragma once

#include "base/fd.h"

namespace handrail {

class TerminationSignals {
 public:
  // Blocks the signals in this thread and all that it starts later: make it first thing in main().
  TerminationSignals();
  int fd() const { return fd_.get(); }

 private:
  Fd fd_;
};

}  // namespace handrail

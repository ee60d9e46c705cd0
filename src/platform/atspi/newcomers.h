// Processes that have just started and will say what they show, but may not have come to it yet: toolkits paint before
// their trees are on the accessibility bus. It knows processes only, not what is on the bus.
#pragma once

#include <cstdint>
#include <map>

#include "base/clock.h"

namespace handrail::atspi {

class Newcomers {
 public:
  // The process is young, and uses a toolkit that makes trees. What cannot be read is taken for that.
  bool is_new(std::int64_t pid);

 private:
  struct Known {
    std::uint64_t start = 0;  // a number means the same process as long as this is the same
    TimePoint until;
    bool makes_trees = false;
  };
  std::map<std::int64_t, Known> known_;
};

}  // namespace handrail::atspi

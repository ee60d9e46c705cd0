// What of an app's elements is not as it was at an earlier look. Pure.
#pragma once

#include <vector>

#include "actions/context.h"

namespace handrail::actions::plan {

struct Delta {
  std::vector<SeenElement> came;     // in reading order, as are those that changed
  std::vector<SeenElement> changed;  // another role, name, value or state; another place alone does not count
  std::vector<SeenElement> gone;     // as they were
  std::size_t same = 0;
};

// Elements that were there before keep their numbers in `now`; others get new ones, which nothing had before.
Delta compare(const std::vector<SeenElement>& before, std::vector<SeenElement>& now);

}  // namespace handrail::actions::plan

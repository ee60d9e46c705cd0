// What of an app's elements is not as it was at an earlier look. Pure.
#pragma once

#include <vector>

#include "actions/context.h"

namespace handrail::actions::plan {

struct Delta {
  struct Kept {
    SeenElement now;
    Rect before;  // where it was
  };
  std::vector<SeenElement> came;     // in reading order, as are the others but those that are gone
  std::vector<SeenElement> changed;  // another role, name, value or state
  std::vector<SeenElement> moved;    // the same at another place of the picture; after find_moved()
  std::vector<SeenElement> gone;     // as they were
  std::vector<Kept> same;
};

// Elements that were there before keep their numbers in `now`; others get new ones, which nothing had before.
Delta compare(const std::vector<SeenElement>& before, std::vector<SeenElement>& now);

// The box of an element as it is told: in whole pixels of the look's picture.
std::vector<int> box_in(const Look& look, const Rect& bounds);

// Those of the same ones whose box is another: a window that moved as a whole moves nothing in its own picture.
void find_moved(Delta& delta, const Look& before, const Look& now);

}  // namespace handrail::actions::plan

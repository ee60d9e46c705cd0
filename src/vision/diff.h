// What changed between two frames, as a share and as boxes. It knows nothing of time or looks.
#pragma once

#include <vector>

#include "model/frame.h"
#include "model/geometry.h"

namespace handrail::vision {

// A pixel counts as changed when its grey value moved by more than this.
inline constexpr int kGreyDelta = 10;
// Below this share of pixels there is "no visible change".
inline constexpr double kVisiblePercent = 0.1;

struct Change {
  bool size_changed = false;  // then nothing else is told: the frames cannot be compared
  double percent = 0;
  std::vector<PixelRect> boxes;  // pixels of the frames, disjoint areas of change, top to bottom

  bool visible() const { return size_changed || percent >= kVisiblePercent; }
};

// At most `max_boxes` boxes; the smallest ones are merged into their neighbours beyond that.
Change compare(const Frame& before, const Frame& after, std::size_t max_boxes = 8);

}  // namespace handrail::vision

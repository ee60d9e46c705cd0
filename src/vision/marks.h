// Numbered boxes over the elements of a picture, for models that choose by number. Which elements are marked, in which
// order, and how a mark looks. It knows nothing of where the elements came from.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/element.h"
#include "model/frame.h"
#include "model/geometry.h"

namespace handrail::vision {

// More than this many boxes hide the picture they are drawn on.
inline constexpr std::size_t kMostMarks = 150;

struct Mark {
  int number = 0;
  Rect box;  // pixels of the picture
  friend bool operator==(const Mark&, const Mark&) = default;
};

struct MarkedElement {
  std::size_t element = 0;  // its place in the list that was given
  Mark mark;
  friend bool operator==(const MarkedElement&, const MarkedElement&) = default;
};

// The interactive elements that show more than 2 points each way within `visible`, numbered from 1 in reading order.
// Beyond `most` the last ones are left out. `visible` is what the picture of size `image` shows, in logical desktop
// points.
std::vector<MarkedElement> select_marks(std::span<const Element> elements, const Rect& visible, Size image,
                                        std::size_t most = kMostMarks);

// Draws an outline, a light fill and a chip with the number for each mark; see chips.h for the places of the chips.
// The frame should have the size that is sent, so that nothing is scaled away afterwards, and nobody else may hold it.
// Boxes that lie outside of the frame are passed over.
void draw_marks(Frame& frame, std::span<const Mark> marks);

}  // namespace handrail::vision

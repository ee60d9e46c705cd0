// The picture of one line of text in the shape that the recogniser was taught: small letters of one height, standing on
// one row. Brought there by us, it needs none of the recogniser's own layout, and it is no wider than need be: time
// goes with width. Pure.
#pragma once

#include <optional>

#include "vision/line_picture.h"

namespace handrail::vision {

// The rows of a cut that small letters fill, to parts of a pixel.
struct LetterRows {
  double top = 0;
  double base = 0;    // where they stand
  bool tall = false;  // by what capitals and digits fill, for want of others
  double height() const { return base - top; }
};

// Nothing when no such rows stand out.
std::optional<LetterRows> letter_rows(const LinePicture& line);

// How large small letters become, in pixels: their height, and how much narrower they are made.
struct LetterShape {
  double height = 0;
  double squeeze = 1;
};

// The narrowest that is read well, and a wider one for a second look.
LetterShape quick_shape(const LetterRows& rows);
inline constexpr LetterShape kClearShape{12, 1};

// Pixels of the result for a pixel of the cut, from left to right.
double shaped_scale(const LetterRows& rows, const LetterShape& shape);
// A pixel x of the cut becomes x * shaped_scale - kShapedTrim.
Grey shaped(const LinePicture& line, const LetterRows& rows, const LetterShape& shape);
inline constexpr int kShapedTrim = 1;

}  // namespace handrail::vision

// Reads one line of text: quickly first, then again with more care what was not understood.
#pragma once

#include <string>
#include <vector>

#include "vision/line_picture.h"
#include "vision/ocr_engine.h"

namespace handrail::vision {

struct CutWord {
  std::string text;
  PixelRect box;  // pixels of the cut
  double confidence;
};

// Words below a confidence of 0.4 are left out.
std::vector<CutWord> read_line(OcrEngine& engine, const LinePicture& line);

}  // namespace handrail::vision

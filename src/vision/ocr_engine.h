// Tesseract behind a table of its C functions, loaded when the first text is read: it brings more than fifty libraries,
// which the program must not load at every start. The only file that knows Tesseract.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "vision/text_lines.h"

namespace handrail::vision {

// A word as it was recognised in the picture of a line.
struct LineWord {
  std::string text;  // UTF-8, without spaces
  int left = 0;      // pixels of the line's picture, roughly
  int right = 0;
  double confidence = 0;  // 0 to 1
};

// One loaded model. Not for two threads at a time; several engines may work at once.
class OcrEngine {
 public:
  // `languages` as Tesseract names them: "eng", "eng+deu". `capability_unsupported` with what to install when the
  // library or a language is missing.
  static Result<std::unique_ptr<OcrEngine>> load(const std::string& languages, const char* library = kLibrary);
  static constexpr const char* kLibrary = "libtesseract.so.5";
  ~OcrEngine();
  OcrEngine(const OcrEngine&) = delete;
  OcrEngine& operator=(const OcrEngine&) = delete;

  // Whether the recogniser looks for the letters in the picture, or takes all of it as they were taught to it.
  enum class Layout { find, given };

  // Dark text on light ground, one line. Empty when nothing is recognised.
  std::vector<LineWord> read(const Grey& picture, Layout layout);

 private:
  struct Library;
  explicit OcrEngine(const Library& library);

  const Library& library_;
  void* api_;
};

}  // namespace handrail::vision

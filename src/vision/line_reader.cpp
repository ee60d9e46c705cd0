#include "vision/line_reader.h"

#include <algorithm>
#include <cmath>

#include "vision/line_shape.h"

namespace handrail::vision {
namespace {

// Words below this are icons, borders and noise more often than text.
constexpr double kLeastConfidence = 0.4;
// Words below these are read again. One that stands alone tells little of how high its letters are.
constexpr double kSure = 0.7;
constexpr double kSureAlone = 0.85;
// What is left on both sides of words that are read again, in pixels of the cut.
constexpr int kBeside = 2;

// Words with their ends in pixels of the cut.
using Words = std::vector<LineWord>;

Words read_carefully(OcrEngine& engine, const LinePicture& line) {
  const int factor = enlargement(line);
  Words words = engine.read(prepared(line), OcrEngine::Layout::find);
  for (LineWord& word : words) {
    word.left = (word.left - kLineMargin) / factor;
    word.right = (word.right - kLineMargin + factor - 1) / factor;
  }
  return words;
}

Words read_shaped(OcrEngine& engine, const LinePicture& line, const LetterRows& rows, const LetterShape& shape) {
  const double scale = shaped_scale(rows, shape);
  Words words = engine.read(shaped(line, rows, shape), OcrEngine::Layout::given);
  for (LineWord& word : words) {
    word.left = static_cast<int>((word.left + kShapedTrim) / scale);
    word.right = static_cast<int>(std::ceil((word.right + kShapedTrim) / scale));
  }
  return words;
}

// How sure it is of its letters; nothing read is the least.
double sureness(const Words& words) {
  double sum = 0, letters = 0;
  for (const LineWord& word : words) {
    sum += word.confidence * static_cast<double>(word.text.size());
    letters += static_cast<double>(word.text.size());
  }
  return letters > 0 ? sum / letters : 0;
}

Words better(Words first, Words second) {
  return sureness(second) >= sureness(first) ? std::move(second) : std::move(first);
}

std::vector<PixelRect> boxes_of(const LinePicture& line, const Words& words) {
  std::vector<std::pair<int, int>> rough;
  rough.reserve(words.size());
  for (const LineWord& word : words) rough.emplace_back(word.left, word.right);
  return word_boxes(line, rough);
}

LinePicture part_of(const LinePicture& line, int left, int right) {
  LinePicture part;
  part.ground = line.ground;
  part.place = {line.place.x + left, line.place.y, right - left, line.place.height};
  part.cut.width = right - left;
  part.cut.height = line.cut.height;
  for (int y = 0; y < line.cut.height; ++y) {
    const std::uint8_t* row = line.cut.row(y);
    part.cut.pixels.insert(part.cut.pixels.end(), row + left, row + right);
  }
  return part;
}

bool doubtful(const LineWord& word) { return word.confidence < kSure; }

// Reads each run of doubtful words again, in a larger shape.
Words read_doubtful_again(OcrEngine& engine, const LinePicture& line, const LetterRows& rows, const Words& words) {
  const std::vector<PixelRect> boxes = boxes_of(line, words);
  Words all;
  for (auto word = words.begin(); word != words.end();) {
    if (!doubtful(*word)) {
      all.push_back(*word++);
      continue;
    }
    const auto end = std::find_if_not(word, words.end(), doubtful);
    const PixelRect& first = boxes[static_cast<std::size_t>(word - words.begin())];
    const PixelRect& last = boxes[static_cast<std::size_t>(end - words.begin() - 1)];
    const int left = std::max(0, first.x - kBeside);
    const int right = std::min(line.cut.width, last.x + last.width + kBeside);
    Words again = read_shaped(engine, part_of(line, left, right), rows, kClearShape);
    for (LineWord& one : again) {
      one.left += left;
      one.right += left;
    }
    for (LineWord& one : better(Words(word, end), std::move(again))) all.push_back(std::move(one));
    word = end;
  }
  return all;
}

Words read_words(OcrEngine& engine, const LinePicture& line) {
  const std::optional<LetterRows> rows = letter_rows(line);
  if (!rows) return read_carefully(engine, line);
  Words words = read_shaped(engine, line, *rows, quick_shape(*rows));
  const bool alone = words.size() == 1;
  if (alone ? words[0].confidence < kSureAlone : std::ranges::all_of(words, doubtful)) {
    return better(std::move(words), read_carefully(engine, line));
  }
  if (std::ranges::none_of(words, doubtful)) return words;
  return read_doubtful_again(engine, line, *rows, words);
}

}  // namespace

std::vector<CutWord> read_line(OcrEngine& engine, const LinePicture& line) {
  const Words seen = read_words(engine, line);
  const std::vector<PixelRect> boxes = boxes_of(line, seen);
  std::vector<CutWord> words;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].confidence >= kLeastConfidence) words.push_back({seen[i].text, boxes[i], seen[i].confidence});
  }
  return words;
}

}  // namespace handrail::vision

#include "vision/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/vision/drawn_text.h"

namespace handrail::vision {
namespace {

// Never destroyed: at exit the objects of the library that it uses are gone before it.
OcrEngine& engine() {
  static OcrEngine& loaded = *OcrEngine::load("eng").value().release();
  return loaded;
}

using Texts = std::vector<std::string>;

// The words of each line that is found, in reading order.
Texts read(const Frame& frame) {
  const Grey grey = grey_of(frame);
  Texts lines;
  for (const PixelRect& found : find_text_lines(grey)) {
    std::string text;
    for (const CutWord& word : read_line(engine(), cut_line(grey, found)))
      text += (text.empty() ? "" : " ") + word.text;
    lines.push_back(text);
  }
  return lines;
}

TEST(LineReader, ReadsNumbersCapitalsAndSmallLettersAlone) {
  const Texts lines{"90125 4471 3.14 20:45", "OPEN FILE MENU", "we are seven", "Page 12 of 340", "OK", "Zoom 100%"};
  for (const Colours& colours : {kLight, kDark}) {
    for (const double points : {10.0, 12.0, 18.0}) {
      SCOPED_TRACE(points);
      Drawing drawing({700, 400}, colours);
      int y = -40;
      for (const std::string& line : lines) drawing.line(20, y += 55, line, points);
      EXPECT_EQ(read(drawing.frame()), lines);
    }
  }
}

TEST(LineReader, ReadsUnderlinedText) {
  Drawing drawing({700, 60}, kLight);
  drawing.underline(drawing.line(20, 20, "Open another window", 12));
  EXPECT_EQ(read(drawing.frame()), Texts{"Open another window"});
}

TEST(LineReader, ShortWordsOfSmallLettersStayInTheirLine) {
  Drawing drawing({900, 60}, kLight);
  drawing.line(20, 20, "Handrail lets an old owl see a tree", 10, "DejaVu Sans Mono");
  EXPECT_EQ(read(drawing.frame()), Texts{"Handrail lets an old owl see a tree"});
}

TEST(LineReader, BoxesOfWordsThatWereReadAgainAreTheirs) {
  Drawing drawing({900, 60}, kLight);
  // The middle is doubted: it is no word, and hardly letters.
  const auto drawn = drawing.line(20, 20, "Simple words ~~|^_}{ around something", 12);
  const Grey grey = grey_of(drawing.frame());
  const std::vector<PixelRect> lines = find_text_lines(grey);
  ASSERT_EQ(lines.size(), 1U);
  const LinePicture line = cut_line(grey, lines[0]);
  const std::vector<CutWord> words = read_line(engine(), line);
  for (const std::size_t at : {0U, 1U, 3U, 4U}) {
    const auto found = std::ranges::find(words, drawn[at].first, &CutWord::text);
    ASSERT_NE(found, words.end()) << drawn[at].first;
    EXPECT_NEAR(line.place.x + found->box.x, drawn[at].second.x, 3) << found->text;
    EXPECT_NEAR(found->box.width, drawn[at].second.width, 4) << found->text;
  }
}

TEST(LineReader, NothingIsReadFromAnEmptyLine) {
  LinePicture line;
  line.cut = {40, 12, std::vector<std::uint8_t>(40 * 12, 255)};
  line.place = {0, 0, 40, 12};
  line.ground = 255;
  EXPECT_TRUE(read_line(engine(), line).empty());
}

}  // namespace
}  // namespace handrail::vision

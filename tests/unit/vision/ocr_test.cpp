#include "vision/ocr.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "unit/vision/drawn_text.h"
#include "unit/vision/images.h"

// What the tests draw with keeps its fonts until the end of the program.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\nleak:libpango\n"; }

namespace handrail::vision {
namespace {

// One for all tests: loading the model takes longer than reading.
TextReader& reader() {
  // Never destroyed: at exit the objects of the library that it uses are gone before it.
  static TextReader& made = *new TextReader;
  return made;
}

Rect whole(const Frame& frame) { return {0, 0, static_cast<double>(frame.width), static_cast<double>(frame.height)}; }

std::vector<std::string> texts(const ReadText& read) {
  std::vector<std::string> lines;
  for (const TextLine& line : read.lines) lines.push_back(line.text);
  return lines;
}

std::vector<std::string> read_texts(const Frame& frame) {
  const Result<ReadText> read = reader().read(frame, whole(frame));
  EXPECT_TRUE(read.ok()) << to_text(read.error());
  return read.ok() ? texts(*read) : std::vector<std::string>{};
}

using Texts = std::vector<std::string>;

TEST(Ocr, ReadsWordsOfManySizesOnLightAndDarkWithTheirPlaces) {
  for (const Colours& colours : {kLight, kDark}) {
    for (const double points : {12.0, 14.0, 18.0, 24.0, 36.0}) {
      SCOPED_TRACE(points);
      Drawing drawing({1200, 120}, colours);
      const auto drawn = drawing.line(20, 30, "Open the garden window before dinner", points);
      const Result<ReadText> read = reader().read(drawing.frame(), whole(drawing.frame()));
      ASSERT_TRUE(read.ok()) << to_text(read.error());
      std::vector<TextWord> words;
      for (const TextLine& line : read->lines) words.insert(words.end(), line.words.begin(), line.words.end());
      ASSERT_EQ(words.size(), drawn.size());
      for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_EQ(words[i].text, drawn[i].first);
        EXPECT_GT(words[i].confidence, 0.6);
        const PixelRect& box = drawn[i].second;
        EXPECT_NEAR(words[i].box.x, box.x, 3) << words[i].text;
        EXPECT_NEAR(words[i].box.y, box.y, 3) << words[i].text;
        EXPECT_NEAR(words[i].box.x + words[i].box.width, box.x + box.width, 3) << words[i].text;
        EXPECT_NEAR(words[i].box.y + words[i].box.height, box.y + box.height, 3) << words[i].text;
      }
    }
  }
}

TEST(Ocr, BoxesAreInDesktopPoints) {
  Drawing drawing({800, 80}, kLight);
  const auto drawn = drawing.line(100, 20, "Settings", 20);
  const Result<ReadText> read = reader().read(drawing.frame(), {1000, 500, 400, 40});
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(texts(*read), Texts{"Settings"});
  EXPECT_NEAR(read->lines[0].box.x, 1000 + drawn[0].second.x / 2.0, 1.5);
  EXPECT_NEAR(read->lines[0].box.y, 500 + drawn[0].second.y / 2.0, 1.5);
  EXPECT_NEAR(read->lines[0].box.width, drawn[0].second.width / 2.0, 1.5);
}

TEST(Ocr, LinesAndColumnsStayApartInReadingOrder) {
  Drawing drawing({900, 200}, kLight);
  drawing.line(500, 20, "Right column above", 12);
  drawing.line(20, 20, "Left column above", 12);
  drawing.line(20, 40, "Left column below", 12);
  drawing.line(500, 40, "Right column below", 12);
  EXPECT_EQ(read_texts(drawing.frame()),
            (Texts{"Left column above", "Right column above", "Left column below", "Right column below"}));
}

TEST(Ocr, LinesThatTouchAreReadOneByOne) {
  Drawing drawing({700, 160}, kDark);
  for (int i = 0; i < 6; ++i) drawing.line(20, 10 + i * 15, "jumping frogs happily", 10, "DejaVu Sans Mono");
  EXPECT_EQ(read_texts(drawing.frame()), Texts(6, "jumping frogs happily"));
}

TEST(Ocr, BordersAreNotText) {
  Drawing drawing({400, 100}, kLight);
  drawing.line(60, 35, "Cancel", 12);
  Frame frame = drawing.frame();
  fill(frame, {40, 25, 120, 1}, 0x404040);
  fill(frame, {40, 60, 120, 1}, 0x404040);
  fill(frame, {40, 25, 1, 36}, 0x404040);
  fill(frame, {159, 25, 1, 36}, 0x404040);
  EXPECT_EQ(read_texts(frame), Texts{"Cancel"});
}

TEST(Ocr, WhatIsSeenAgainIsReadTheSame) {
  TextReader fresh;
  Drawing before({700, 120}, kLight), after({700, 120}, kLight);
  for (Drawing* drawing : {&before, &after}) drawing->line(20, 20, "This line stays", 12);
  before.line(20, 60, "Seven apples", 12);
  after.line(20, 60, "Eight pears", 12);
  const Rect area{0, 0, 700, 120};
  const Result<ReadText> first = fresh.read(before.frame(), area), again = fresh.read(before.frame(), area);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(texts(*first), (Texts{"This line stays", "Seven apples"}));
  const Result<ReadText> changed = fresh.read(after.frame(), area);
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(texts(*changed), (Texts{"This line stays", "Eight pears"}));
  EXPECT_EQ(changed->lines[0], first->lines[0]);
}

TEST(Ocr, NothingToReadIsEmpty) {
  EXPECT_EQ(read_texts(make_frame({1, 1})), Texts{});
  EXPECT_EQ(read_texts(make_frame({1, 500})), Texts{});
  EXPECT_EQ(read_texts(make_frame({500, 1})), Texts{});
  EXPECT_EQ(read_texts(make_frame({640, 480})), Texts{});
  EXPECT_EQ(read_texts(Frame{}), Texts{});
}

TEST(Ocr, SurvivesNoiseAndRefusesTheHuge) {
  EXPECT_TRUE(reader().read(noise({300, 200}), {0, 0, 300, 200}).ok());
  Frame huge;  // never looked at
  huge.width = huge.height = 16000;
  const Result<ReadText> read = reader().read(huge, {0, 0, 16000, 16000});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Code::too_large);
}

TEST(Ocr, StopsWhenAsked) {
  Drawing drawing({700, 60}, kLight);
  drawing.line(20, 20, "Nobody reads this", 12);
  std::stop_source stop;
  stop.request_stop();
  const Result<ReadText> read = reader().read(drawing.frame(), whole(drawing.frame()), stop.get_token());
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Code::cancelled);
  EXPECT_EQ(read_texts(drawing.frame()), Texts{"Nobody reads this"});
}

TEST(Ocr, MissingDataAreNamedWithWhatToInstall) {
  TextReader absent("xx_none");
  const Result<ReadText> read = absent.read(make_frame({50, 50}), {0, 0, 50, 50});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Code::capability_unsupported);
  EXPECT_NE(read.error().hint.find("apt-get install tesseract-ocr-xx-none"), std::string::npos) << read.error().hint;
}

TEST(Ocr, AMissingLibraryIsNamedWithWhatToInstall) {
  const auto engine = OcrEngine::load("eng", "libtesseract-none.so.5");
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.error().code, Code::capability_unsupported);
  EXPECT_NE(engine.error().message.find("libtesseract-none.so.5 is not installed"), std::string::npos);
  EXPECT_NE(engine.error().hint.find("apt-get install libtesseract5 tesseract-ocr-eng"), std::string::npos)
      << engine.error().hint;
  // One that is there but is no Tesseract.
  const auto other = OcrEngine::load("eng", "libm.so.6");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, Code::capability_unsupported);
}

TEST(Ocr, APictureWithoutTextIsEmptyAlsoTheSecondTime) {
  Frame frame = make_frame({400, 300});
  fill(frame, {0, 0, 400, 300}, 0xffffff);
  fill(frame, {50, 50, 200, 120}, 0x3060c0);
  fill(frame, {120, 90, 160, 160}, 0xc06030);
  TextReader fresh;
  for (int i = 0; i < 2; ++i) {
    const Result<ReadText> read = fresh.read(frame, whole(frame));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(texts(*read), Texts{});
    EXPECT_TRUE(read->complete);
  }
}

TEST(Ocr, TheSamePictureElsewhereHasItsBoxesThere) {
  Drawing drawing({300, 60}, kLight);
  drawing.line(20, 20, "Moved", 12);
  TextReader fresh;
  const Result<ReadText> here = fresh.read(drawing.frame(), {0, 0, 300, 60});
  const Result<ReadText> there = fresh.read(drawing.frame(), {100, 50, 300, 60});
  ASSERT_TRUE(here.ok() && there.ok());
  ASSERT_EQ(there->lines.size(), 1U);
  EXPECT_EQ(there->lines[0].box.x, here->lines[0].box.x + 100);
  EXPECT_EQ(there->lines[0].box.y, here->lines[0].box.y + 50);
}

TEST(Ocr, ALentFrameMayChangeAfterwards) {
  Drawing drawing({300, 60}, kLight);
  drawing.line(20, 20, "Before", 12);
  Frame frame = make_frame({300, 60});
  std::uint8_t* pixels = writable(frame);
  std::memcpy(pixels, drawing.frame().pixels.get(), frame.stride * 60);
  TextReader fresh;
  EXPECT_EQ(texts(fresh.read(frame, whole(frame)).value()), Texts{"Before"});
  std::memset(pixels, 0xff, frame.stride * 60);
  EXPECT_EQ(texts(fresh.read(frame, whole(frame)).value()), Texts{});
}

TEST(Ocr, SeveralCallersAtOnceGetTheirOwnTexts) {
  TextReader shared;
  const std::vector<std::string> said{"First caller", "Second caller", "Third caller", "Fourth caller"};
  std::vector<Texts> read(said.size());
  {
    std::vector<std::jthread> callers;
    for (std::size_t i = 0; i < said.size(); ++i) {
      callers.emplace_back([&, i] {
        for (int round = 0; round < 3; ++round) {
          Drawing drawing({300, 60}, kLight);
          drawing.line(20, 20, said[i], 12);
          const Result<ReadText> one = shared.read(drawing.frame(), whole(drawing.frame()));
          if (one.ok()) read[i] = texts(*one);
        }
      });
    }
  }
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_EQ(read[i], Texts{said[i]});
}

TEST(Ocr, OneWhoWaitsForAnotherCanBeCalledOff) {
  Drawing drawing({900, 700}, kLight);
  for (int i = 0; i < 28; ++i) drawing.line(20, 10 + 24 * i, "Many words of line number " + std::to_string(i), 12);
  TextReader shared;
  std::stop_source first, second;
  std::atomic<int> cancelled = 0;
  {
    const auto caller = [&](std::stop_token stop) {
      const Result<ReadText> read = shared.read(drawing.frame(), whole(drawing.frame()), std::move(stop));
      if (!read.ok() && read.error().code == Code::cancelled) ++cancelled;
    };
    std::jthread one(caller, first.get_token()), other(caller, second.get_token());
    second.request_stop();
    first.request_stop();
  }
  // Whatever was done of it by then, both have ended, and the next one reads all.
  EXPECT_LE(cancelled, 2);
  const Result<ReadText> read = shared.read(drawing.frame(), whole(drawing.frame()));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->lines.size(), 28U);
}

RC_GTEST_PROP(TextLines, LieInsideOfThePictureWhateverItShows, ()) {
  const Size size{*rc::gen::inRange(1, 200), *rc::gen::inRange(1, 160)};
  Frame frame = *rc::gen::arbitrary<bool>() ? noise(size, *rc::gen::arbitrary<unsigned>()) : make_frame(size);
  for (int i = *rc::gen::inRange(0, 60); i > 0; --i) {
    const PixelRect box{*rc::gen::inRange(0, size.width), *rc::gen::inRange(0, size.height), *rc::gen::inRange(1, 80),
                        *rc::gen::inRange(1, 60)};
    fill(frame, intersect(box, PixelRect{0, 0, size.width, size.height}), *rc::gen::arbitrary<std::uint32_t>());
  }
  const Grey grey = grey_of(frame);
  for (const PixelRect& line : find_text_lines(grey)) {
    RC_ASSERT(!line.empty());
    RC_ASSERT(intersect(line, PixelRect{0, 0, size.width, size.height}) == line);
    const LinePicture cut = cut_line(grey, line);
    const Grey picture = prepared(cut);
    RC_ASSERT(picture.pixels.size() ==
              static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
    const std::vector<PixelRect> words = word_boxes(cut, {{-5, 3}, {2, 9}, {40, 900}});
    RC_ASSERT(words.size() == 3U);
    for (const PixelRect& word : words) {
      RC_ASSERT(!word.empty());
      RC_ASSERT(intersect(word, PixelRect{0, 0, cut.cut.width, cut.cut.height}) == word);
    }
  }
}

}  // namespace
}  // namespace handrail::vision

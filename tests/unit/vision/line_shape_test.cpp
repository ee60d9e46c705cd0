#include "vision/line_shape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "unit/vision/drawn_text.h"
#include "unit/vision/images.h"

namespace handrail::vision {
namespace {

LinePicture only_line(const Frame& frame) {
  const Grey grey = grey_of(frame);
  const std::vector<PixelRect> lines = find_text_lines(grey);
  EXPECT_EQ(lines.size(), 1U);
  return lines.empty() ? LinePicture{} : cut_line(grey, lines[0]);
}

TEST(LineShape, FindsWhatSmallLettersFill) {
  for (const Colours& colours : {kLight, kDark}) {
    for (const double points : {9.0, 12.0, 18.0, 36.0}) {
      SCOPED_TRACE(points);
      Drawing drawing({1600, 120}, colours);
      // The ink of a word of small letters without parts above and below is what is looked for.
      const PixelRect small = drawing.line(20, 30, "same happy old people", points)[0].second;
      const LinePicture line = only_line(drawing.frame());
      const std::optional<LetterRows> rows = letter_rows(line);
      ASSERT_TRUE(rows.has_value());
      EXPECT_FALSE(rows->tall);
      EXPECT_NEAR(line.place.y + rows->top, small.y, 1.5);
      EXPECT_NEAR(line.place.y + rows->base, small.y + small.height, 1.5);
    }
  }
}

TEST(LineShape, CapitalsAndDigitsAreTakenForWhatTheyAre) {
  Drawing small({600, 60}, kLight), tall({600, 60}, kLight);
  small.line(20, 20, "Bold letters happen", 14);
  tall.line(20, 20, "CPU 90125 MENU", 14);
  const auto of_small = letter_rows(only_line(small.frame())), of_tall = letter_rows(only_line(tall.frame()));
  ASSERT_TRUE(of_small && of_tall);
  EXPECT_FALSE(of_small->tall);
  EXPECT_TRUE(of_tall->tall);
  EXPECT_NEAR(of_tall->height(), of_small->height(), 1);
}

TEST(LineShape, ARuleBelowIsNoLetter) {
  Drawing plain({600, 60}, kLight), underlined({600, 60}, kLight);
  plain.line(20, 20, "Open another window", 14);
  underlined.underline(underlined.line(20, 20, "Open another window", 14));
  const auto without = letter_rows(only_line(plain.frame()));
  const auto with = letter_rows(only_line(underlined.frame()));
  ASSERT_TRUE(without && with);
  EXPECT_NEAR(with->height(), without->height(), 0.5);
}

TEST(LineShape, LettersBecomeOneHeightOnOneRow) {
  for (const double points : {9.0, 12.0, 24.0}) {
    SCOPED_TRACE(points);
    Drawing drawing({1600, 120}, kDark);
    drawing.line(20, 30, "happy old people", points);
    const LinePicture line = only_line(drawing.frame());
    const std::optional<LetterRows> rows = letter_rows(line);
    ASSERT_TRUE(rows.has_value());
    LinePicture made;
    made.cut = shaped(line, *rows, kClearShape);
    made.ground = line.ground;
    EXPECT_EQ(made.cut.height, 36);
    EXPECT_NEAR(made.cut.width, line.cut.width * shaped_scale(*rows, kClearShape), 2 * kShapedTrim + 1);
    const std::optional<LetterRows> again = letter_rows(made);
    ASSERT_TRUE(again.has_value());
    EXPECT_NEAR(again->height(), kClearShape.height, 1.2);
    EXPECT_NEAR(again->base, 25, 1);
  }
}

RC_GTEST_PROP(LineShape, AnyPictureHasNoneOrOnesThatItHolds, ()) {
  const Size size{*rc::gen::inRange(1, 90), *rc::gen::inRange(1, 60)};
  Frame frame = *rc::gen::arbitrary<bool>() ? noise(size, *rc::gen::arbitrary<unsigned>()) : make_frame(size);
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    const PixelRect box{*rc::gen::inRange(0, size.width), *rc::gen::inRange(0, size.height), *rc::gen::inRange(1, 80),
                        *rc::gen::inRange(1, 60)};
    fill(frame, intersect(box, PixelRect{0, 0, size.width, size.height}), *rc::gen::arbitrary<std::uint32_t>());
  }
  const LinePicture line = cut_line(grey_of(frame), {0, 0, size.width, size.height});
  const std::optional<LetterRows> rows = letter_rows(line);
  if (!rows) return;
  RC_ASSERT(rows->top >= -1 && rows->base <= size.height + 1 && rows->height() >= 4);
  for (const LetterShape& shape : {quick_shape(*rows), kClearShape}) {
    const Grey picture = shaped(line, *rows, shape);
    RC_ASSERT(picture.width >= 1 && picture.pixels.size() == static_cast<std::size_t>(picture.width) * 36);
  }
}

}  // namespace
}  // namespace handrail::vision

#include "vision/marks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "unit/vision/images.h"
#include "vision/chips.h"

namespace handrail::vision {
namespace {

Element element(Rect bounds, std::string role = "push button") {
  Element made;
  made.role = std::move(role);
  made.bounds = bounds;
  made.states.set(ElementState::showing);
  return made;
}

std::vector<std::size_t> order_of(const std::vector<Element>& elements, std::size_t most = kMostMarks) {
  std::vector<std::size_t> order;
  for (const MarkedElement& one : select_marks(elements, {0, 0, 1000, 800}, {1000, 800}, most)) {
    EXPECT_EQ(one.mark.number, static_cast<int>(order.size()) + 1);
    order.push_back(one.element);
  }
  return order;
}

using Order = std::vector<std::size_t>;

TEST(SelectMarks, TakesWhatCanBeUsedAndSeen) {
  std::vector<Element> all{element({10, 10, 80, 30}), element({10, 50, 80, 30}, "label"), element({10, 90, 2, 30}),
                           element({10, 130, 30, 2}), element({998, 10, 80, 30}),         element({2000, 10, 80, 30}),
                           element({10, 170, 3, 3}),  element({10, 200, 80, 30})};
  all.back().states.set(ElementState::showing, false);
  EXPECT_EQ(order_of(all), (Order{0, 6}));
}

TEST(SelectMarks, ReadsRowsWhateverTheOrderOfTheTree) {
  EXPECT_EQ(order_of({element({500, 300, 80, 30}), element({200, 10, 80, 30}), element({10, 304, 80, 22}),
                      element({10, 12, 80, 30})}),
            (Order{3, 1, 2, 0}));
}

TEST(SelectMarks, ALowLinkBesideAHighButtonIsInItsRow) {
  EXPECT_EQ(order_of({element({100, 10, 80, 40}), element({10, 22, 80, 16}, "link"), element({10, 60, 80, 30})}),
            (Order{1, 0, 2}));
}

TEST(SelectMarks, AStaircaseIsNotOneRow) {
  EXPECT_EQ(order_of({element({300, 10, 80, 30}), element({200, 24, 80, 30}), element({100, 38, 80, 30})}),
            (Order{1, 0, 2}));
}

TEST(SelectMarks, AColumnBesideATallFieldKeepsItsOrder) {
  EXPECT_EQ(order_of({element({200, 10, 700, 600}, "entry"), element({10, 12, 80, 30}), element({10, 50, 80, 30}),
                      element({10, 90, 80, 30})}),
            (Order{1, 0, 2, 3}));
}

TEST(SelectMarks, LeavesOutTheLastBeyondTheMost) {
  EXPECT_EQ(order_of({element({10, 50, 80, 30}), element({10, 10, 80, 30}), element({10, 90, 80, 30})}, 2),
            (Order{1, 0}));
}

TEST(SelectMarks, BoxesAreClippedAndScaledToThePicture) {
  const std::vector<Element> all{element({1800, 120, 400, 40})};
  EXPECT_EQ(select_marks(all, {1000, 100, 1000, 500}, {500, 250}),
            (std::vector<MarkedElement>{{0, {1, {400, 10, 100, 20}}}}));
  EXPECT_TRUE(select_marks(all, {}, {500, 250}).empty());
  EXPECT_TRUE(select_marks(all, {1000, 100, 1000, 500}, {}).empty());
}

bool overlap(const PixelRect& a, const PixelRect& b) { return !intersect(a, b).empty(); }

RC_GTEST_PROP(Chips, StayInsideAndOffTheirOwnControlWhereThereIsRoom, ()) {
  const Size size{*rc::gen::inRange(1, 400), *rc::gen::inRange(1, 300)};
  const Frame frame = noise(size);
  const auto rect =
      rc::gen::map(rc::gen::tuple(rc::gen::inRange(-50, 400), rc::gen::inRange(-50, 300), rc::gen::inRange(-3, 420),
                                  rc::gen::inRange(-3, 320), rc::gen::inRange(0, 4)),
                   [](const std::tuple<int, int, int, int, int>& t) {
                     return Rect{std::get<0>(t) + std::get<4>(t) / 4.0, std::get<1>(t) + 0.0, std::get<2>(t) + 0.0,
                                 std::get<3>(t) + 0.5};
                   });
  std::vector<Mark> marks;
  for (const Rect& box : *rc::gen::container<std::vector<Rect>>(rect)) {
    marks.push_back({static_cast<int>(marks.size()) + *rc::gen::element(1, 95), box});
  }
  const std::vector<Chip> chips = place_chips(marks, frame);
  RC_ASSERT(chips.size() == marks.size());
  const PixelRect picture{0, 0, size.width, size.height};
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const Chip& chip = chips[i];
    RC_ASSERT(chip.number == marks[i].number);
    if (chip.control.empty()) {
      RC_ASSERT(chip.box.empty());
      continue;
    }
    RC_ASSERT(intersect(chip.control, picture) == chip.control);
    const Size need = chip_size(chip.number);
    if (need.width > size.width || need.height > size.height) {
      RC_ASSERT(chip.box.empty());
      continue;
    }
    RC_ASSERT(chip.box.size() == need);
    RC_ASSERT(intersect(chip.box, picture) == chip.box);
    const PixelRect& control = chip.control;
    const bool room = control.x >= need.width || control.y >= need.height ||
                      size.width - control.x - control.width >= need.width ||
                      size.height - control.y - control.height >= need.height;
    RC_ASSERT(!room || !overlap(chip.box, control));
  }
}

RC_GTEST_PROP(Chips, CoverNothingWhereControlsStandApart, ()) {
  // A grid with room for a chip between any two controls.
  const int columns = *rc::gen::inRange(1, 9), rows = *rc::gen::inRange(1, 9);
  const int width = *rc::gen::inRange(3, 60), height = *rc::gen::inRange(3, 40);
  const Size room = chip_size(100);
  const Frame frame =
      make_frame({columns * (width + room.width) + room.width, rows * (height + room.height) + room.height});
  std::vector<Mark> marks;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const Rect box{static_cast<double>(room.width + column * (width + room.width)),
                     static_cast<double>(room.height + row * (height + room.height)), static_cast<double>(width),
                     static_cast<double>(height)};
      marks.push_back({static_cast<int>(marks.size()) + 1, box});
    }
  }
  const std::vector<Chip> chips = place_chips(marks, frame);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    for (std::size_t k = 0; k < chips.size(); ++k) {
      RC_ASSERT(!overlap(chips[i].box, chips[k].control));
      RC_ASSERT(i == k || !overlap(chips[i].box, chips[k].box));
    }
  }
}

TEST(Chips, AControlThatFillsThePictureIsCoveredAsLittleAsCanBe) {
  const Frame frame = make_frame({200, 100});
  const Chip chip = place_chips(std::vector<Mark>{{7, {0, 6, 200, 94}}}, frame).front();
  EXPECT_EQ(chip.box, (PixelRect{0, 0, chip_size(7).width, chip_size(7).height}));
}

TEST(Chips, AvoidWhatIsWrittenBesideTheControl) {
  Frame frame = make_frame({200, 100});
  for (int x = 0; x < 200; x += 2) fill(frame, {x, 0, 1, 40}, 0xFFFFFF);  // all of the room above
  const Chip chip = place_chips(std::vector<Mark>{{7, {60, 40, 80, 30}}}, frame).front();
  EXPECT_GE(chip.box.y, 40);
  EXPECT_FALSE(overlap(chip.box, chip.control));
}

TEST(Chips, ColoursContrastWithTheBackgroundAndDifferFromTheirNeighbours) {
  for (const std::uint32_t background : {0xFFFFFFU, 0x202020U, 0x000000U, 0x808080U, 0x3060C0U, 0xF0F0F0U}) {
    Frame frame = make_frame({900, 60});
    fill(frame, {0, 0, 900, 60}, background);
    std::vector<Mark> marks;
    for (int i = 0; i < 30; ++i) marks.push_back({i + 1, {i * 30.0, 20, 26, 24}});
    const std::vector<Chip> chips = place_chips(marks, frame);
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i < chips.size(); ++i) {
      colours.insert(chips[i].colour);
      int apart = 0;
      for (int c = 0; c < 3; ++c) {
        apart = std::max(apart, std::abs(static_cast<int>(chips[i].colour >> (8 * c) & 0xFF) -
                                         static_cast<int>(background >> (8 * c) & 0xFF)));
      }
      EXPECT_GE(apart, 90) << background << " " << chips[i].colour;
      if (i > 0) {
        EXPECT_NE(chips[i].colour, chips[i - 1].colour);
      }
      if (i > 1) {
        EXPECT_NE(chips[i].colour, chips[i - 2].colour);
      }
    }
    EXPECT_GE(colours.size(), 6U);
  }
}

TEST(DrawMarks, KeepsTheInsideReadableAndEverythingElseAsItWas) {
  Frame frame = make_frame({200, 100});
  fill(frame, {0, 0, 200, 100}, 0xFFFFFF);
  const std::vector<Mark> marks{{12, {60, 40, 80, 30}}, {3, {900, 900, 10, 10}}, {4, {-50, -50, 20, 20}}};
  const Chip chip = place_chips(marks, frame).front();
  draw_marks(frame, marks);
  int ink = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 200; ++x) {
      const std::uint8_t* pixel = frame.row(y) + static_cast<std::size_t>(x) * 4;
      const PixelRect here{x, y, 1, 1};
      if (overlap(here, chip.box)) {
        const std::uint32_t colour = static_cast<std::uint32_t>(pixel[2]) << 16 | pixel[1] << 8 | pixel[0];
        ink += colour == chip.colour ? 0 : 1;
      } else if (overlap(here, {62, 42, 76, 26})) {
        for (int c = 0; c < 3; ++c) ASSERT_GE(pixel[c], 222) << x << "," << y;  // a light tint
        ASSERT_LT(pixel[0] + pixel[1] + pixel[2], 765);
      } else if (!overlap(here, chip.control)) {
        for (int c = 0; c < 3; ++c) ASSERT_EQ(pixel[c], 255) << x << "," << y;
      }
    }
  }
  EXPECT_GT(ink, 40);
}

RC_GTEST_PROP(DrawMarks, NeverWritesOutsideOfItsFrame, ()) {
  // The frame is the middle of a larger one, whose rim must stay.
  Frame outer = make_frame({140, 120});
  fill(outer, {0, 0, 140, 120}, 0x55AA33);
  Frame inner = outer;
  inner.width = *rc::gen::inRange(0, 100);
  inner.height = *rc::gen::inRange(0, 80);
  inner.pixels = std::shared_ptr<const std::uint8_t>(outer.pixels, outer.row(20) + 20 * 4);
  const auto side = rc::gen::inRange(-40, 150);
  std::vector<Mark> marks;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    marks.push_back({i * 37, {*side + 0.0, *side + 0.0, *side + 0.0, *side + 0.0}});
  }
  draw_marks(inner, marks);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 140; ++x) {
      if (overlap({x, y, 1, 1}, {20, 20, inner.width, inner.height})) continue;
      const std::uint8_t* pixel = outer.row(y) + static_cast<std::size_t>(x) * 4;
      RC_ASSERT((pixel[0] == 0x33 && pixel[1] == 0xAA && pixel[2] == 0x55));
    }
  }
}

}  // namespace
}  // namespace handrail::vision

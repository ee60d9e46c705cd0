#include "vision/marks.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "vision/chips.h"
#include "vision/digits.h"
#include "vision/reading_order.h"

namespace handrail::vision {
namespace {

// Smaller than this each way shows nothing that could be pressed.
constexpr double kLeastSide = 2;
// Of 256: about 12 percent.
constexpr unsigned kFill = 31;
// Controls smaller than this get the thinner outline.
constexpr int kSmallSide = 18;

std::uint8_t* pixel_at(Frame& frame, int x, int y) {
  return writable(frame) + static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(x) * 4;
}

void paint(Frame& frame, const PixelRect& where, std::uint32_t colour) {
  const PixelRect box = intersect(where, PixelRect{0, 0, frame.width, frame.height});
  for (int y = box.y; y < box.y + box.height; ++y) {
    std::uint8_t* pixel = pixel_at(frame, box.x, y);
    for (int x = 0; x < box.width; ++x, pixel += 4) {
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(colour >> (8 * c));
    }
  }
}

void tint(Frame& frame, const PixelRect& box, std::uint32_t colour) {
  unsigned add[4];
  for (unsigned c = 0; c < 4; ++c) add[c] = (colour >> (8 * c) & 0xFF) * kFill;
  for (int y = box.y; y < box.y + box.height; ++y) {
    std::uint8_t* pixel = pixel_at(frame, box.x, y);
    for (int x = 0; x < box.width; ++x, pixel += 4) {
      for (unsigned c = 0; c < 3; ++c) {
        pixel[c] = static_cast<std::uint8_t>((pixel[c] * (256 - kFill) + add[c] + 128) >> 8);
      }
    }
  }
}

void outline(Frame& frame, const PixelRect& box, std::uint32_t colour) {
  const int line = std::min(box.width, box.height) < kSmallSide ? 1 : 2;
  paint(frame, {box.x, box.y, box.width, line}, colour);
  paint(frame, {box.x, box.y + box.height - line, box.width, line}, colour);
  paint(frame, {box.x, box.y, line, box.height}, colour);
  paint(frame, {box.x + box.width - line, box.y, line, box.height}, colour);
}

// Black or white, whichever is read better on the colour.
std::uint32_t ink_on(std::uint32_t colour) {
  const unsigned luma = (colour >> 16 & 0xFF) * 77 + (colour >> 8 & 0xFF) * 150 + (colour & 0xFF) * 29;
  return luma > 128 * 256 ? 0x000000 : 0xFFFFFF;
}

void draw_chip(Frame& frame, const Chip& chip) {
  paint(frame, chip.box, chip.colour);
  const std::uint32_t ink = ink_on(chip.colour);
  int x = chip.box.x + chip.box.width - 2 - kDigitWidth;
  int rest = std::abs(chip.number);
  do {
    const auto& rows = kDigits[static_cast<std::size_t>(rest % 10)];
    for (int y = 0; y < kDigitHeight; ++y) {
      for (int column = 0; column < kDigitWidth; ++column) {
        if ((rows[static_cast<std::size_t>(y)] >> (kDigitWidth - 1 - column) & 1) == 0) continue;
        paint(frame, {x + column, chip.box.y + 2 + y, 1, 1}, ink);
      }
    }
    x -= kDigitWidth + 1;
    rest /= 10;
  } while (rest > 0);
}

}  // namespace

std::vector<MarkedElement> select_marks(std::span<const Element> elements, const Rect& visible, Size image,
                                        std::size_t most) {
  if (visible.empty() || image.empty()) return {};
  std::vector<std::size_t> shown;
  std::vector<Rect> boxes;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!interactive(elements[i])) continue;
    const Rect box = intersect(elements[i].bounds, visible);
    if (box.width <= kLeastSide || box.height <= kLeastSide) continue;
    shown.push_back(i);
    boxes.push_back(box);
  }
  const double scale_x = image.width / visible.width, scale_y = image.height / visible.height;
  std::vector<MarkedElement> marked;
  for (const std::size_t at : reading_order(boxes)) {
    if (marked.size() == most) break;
    const Rect& box = boxes[at];
    marked.push_back(
        {shown[at],
         {static_cast<int>(marked.size()) + 1,
          {(box.x - visible.x) * scale_x, (box.y - visible.y) * scale_y, box.width * scale_x, box.height * scale_y}}});
  }
  return marked;
}

void draw_marks(Frame& frame, std::span<const Mark> marks) {
  if (frame.size().empty()) return;
  const std::vector<Chip> chips = place_chips(marks, frame);
  for (const Chip& chip : chips) tint(frame, chip.control, chip.colour);
  for (const Chip& chip : chips) {
    if (!chip.control.empty()) outline(frame, chip.control, chip.colour);
  }
  for (const Chip& chip : chips) {
    if (!chip.box.empty()) draw_chip(frame, chip);
  }
}

}  // namespace handrail::vision

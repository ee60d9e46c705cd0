#include "vision/chips.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "vision/digits.h"

namespace handrail::vision {
namespace {

constexpr int kPadding = 2;
// How many of the colours, best contrast first, may be chosen from.
constexpr std::size_t kGoodColours = 6;
// What makes a place worse: a pixel of another chip, all of another control, a step in what is written, a pixel away.
constexpr std::int64_t kChipCost = 64;
constexpr std::int64_t kHiddenCost = 1500;
constexpr std::int64_t kDetailCost = 4;
constexpr std::int64_t kGapCost = 24;
// Where the chips of a grid stand in the same way, it is clear whose each is.
constexpr std::int64_t kOrderCost = 12;
// Marks closer than this are around each other.
constexpr int kAround = 48;

std::int64_t area(const PixelRect& box) { return box.empty() ? 0 : static_cast<std::int64_t>(box.width) * box.height; }

std::int64_t common(const PixelRect& a, const PixelRect& b) { return area(intersect(a, b)); }

PixelRect whole_pixels(const Rect& box, Size image) {
  if (!std::isfinite(box.x) || !std::isfinite(box.y) || !std::isfinite(box.width) || !std::isfinite(box.height))
    return {};
  const Rect inside = intersect(box, Rect{0, 0, static_cast<double>(image.width), static_cast<double>(image.height)});
  if (inside.empty()) return {};
  const int left = static_cast<int>(std::floor(inside.x)), top = static_cast<int>(std::floor(inside.y));
  const int right = static_cast<int>(std::ceil(inside.x + inside.width));
  const int bottom = static_cast<int>(std::ceil(inside.y + inside.height));
  return {left, top, right - left, bottom - top};
}

struct Place {
  PixelRect box;
  std::int64_t effort = 0;  // what the place itself costs: the further from the control, the more
};

// The places of a chip around a control, the better ones first: along its sides, then at its corners, then further
// away.
void list_places(const PixelRect& control, Size chip, Size image, std::vector<Place>& places) {
  places.clear();
  const int right = control.x + control.width, bottom = control.y + control.height;
  const int slack_x = control.width - chip.width, slack_y = control.height - chip.height;
  for (const int gap : {0, chip.height / 2, chip.height + 1}) {
    const auto add = [&](int x, int y) {
      const PixelRect box{std::clamp(x, 0, image.width - chip.width), std::clamp(y, 0, image.height - chip.height),
                          chip.width, chip.height};
      places.push_back({box, kOrderCost * static_cast<std::int64_t>(places.size()) + kGapCost * gap});
    };
    const int above = control.y - chip.height - gap, below = bottom + gap;
    const int before = control.x - chip.width - gap, after = right + gap;
    for (const int quarter : {0, 4, 2, 1, 3}) add(control.x + slack_x * quarter / 4, above);
    for (const int quarter : {2, 0, 4}) add(before, control.y + slack_y * quarter / 4);
    for (const int quarter : {2, 0, 4}) add(after, control.y + slack_y * quarter / 4);
    for (const int quarter : {0, 4, 2, 1, 3}) add(control.x + slack_x * quarter / 4, below);
    for (const int x : {before, after}) {
      for (const int y : {above, below}) add(x, y);
    }
  }
}

// How much there is to read under a chip: text has many steps from pixel to pixel, a plain area none and an edge few.
std::int64_t detail(const Frame& frame, const PixelRect& box) {
  std::int64_t steps = 0;
  for (int y = box.y; y < box.y + box.height; ++y) {
    const std::uint8_t* green = frame.row(y) + static_cast<std::size_t>(box.x) * 4 + 1;
    for (int x = 1; x < box.width; ++x) steps += std::abs(green[x * 4] - green[(x - 1) * 4]) > 24 ? 1 : 0;
  }
  return std::max<std::int64_t>(0, steps - box.height);
}

struct Cost {
  std::int64_t own = 0;    // pixels of the control that would be covered
  std::int64_t other = 0;  // all else, weighed
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

// What chips around a control can touch.
struct Surroundings {
  std::vector<PixelRect> chips;
  std::vector<PixelRect> controls;

  void take(std::span<const Chip> all, std::size_t at, Size chip) {
    const PixelRect& own = all[at].control;
    const int reach_x = 2 * (chip.width + chip.height), reach_y = 3 * chip.height;
    const PixelRect reach{own.x - reach_x, own.y - reach_y, own.width + 2 * reach_x, own.height + 2 * reach_y};
    chips.clear();
    controls.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i < at && !intersect(all[i].box, reach).empty()) chips.push_back(all[i].box);
      if (i != at && !intersect(all[i].control, reach).empty()) controls.push_back(all[i].control);
    }
  }
};

PixelRect best_place(const PixelRect& control, std::span<const Place> places, const Surroundings& near,
                     const Frame& frame) {
  Cost least{std::numeric_limits<std::int64_t>::max(), 0};
  PixelRect best;
  for (const Place& place : places) {
    Cost cost{common(place.box, control), place.effort};
    if (cost >= least) continue;
    for (const PixelRect& chip : near.chips) cost.other += kChipCost * common(place.box, chip);
    // A large box is not hidden by a chip on it; of a small one little is left.
    for (const PixelRect& other : near.controls) cost.other += kHiddenCost * common(place.box, other) / area(other);
    if (cost >= least) continue;
    cost.other += kDetailCost * detail(frame, place.box);
    if (cost >= least) continue;
    least = cost;
    best = place.box;
  }
  return best;
}

double luminance(std::uint32_t colour) {
  const auto linear = [](std::uint32_t channel) { return std::pow(static_cast<double>(channel & 0xFF) / 255, 2.2); };
  return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8) + 0.0722 * linear(colour);
}

// How well a colour is told from another: by light, which small shapes need, and by hue.
double contrast(std::uint32_t a, std::uint32_t b) {
  const double light_a = luminance(a) + 0.05, light_b = luminance(b) + 0.05;
  double apart = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    const double channel = static_cast<double>(a >> shift & 0xFF) - static_cast<double>(b >> shift & 0xFF);
    apart += channel * channel;
  }
  return std::abs(std::log(light_a / light_b)) + std::sqrt(apart) / 128;
}

// Of a grid of samples: a large control is as quick as a small one.
std::uint32_t mean_colour(const Frame& frame, const PixelRect& box) {
  const int step_x = std::max(1, box.width / 16), step_y = std::max(1, box.height / 16);
  std::uint32_t sums[3] = {}, count = 0;
  for (int y = box.y; y < box.y + box.height; y += step_y) {
    for (int x = box.x; x < box.x + box.width; x += step_x, ++count) {
      const std::uint8_t* pixel = frame.row(y) + static_cast<std::size_t>(x) * 4;
      for (int c = 0; c < 3; ++c) sums[c] += pixel[c];
    }
  }
  return sums[2] / count << 16 | sums[1] / count << 8 | sums[0] / count;
}

bool around(const PixelRect& a, const PixelRect& b) {
  const PixelRect wider{a.x - kAround, a.y - kAround, a.width + 2 * kAround, a.height + 2 * kAround};
  return !intersect(wider, b).empty();
}

std::uint32_t choose_colour(std::span<const Chip> chips, std::size_t at, const Frame& frame) {
  const std::uint32_t background = mean_colour(frame, chips[at].control);
  std::array<std::pair<double, std::size_t>, kMarkColours.size()> order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = {-contrast(kMarkColours[i], background), i};
  std::ranges::sort(order);
  // How lately a colour was used near by; the one that was used longest ago, or never, is taken.
  std::array<std::size_t, kGoodColours> used{};
  for (std::size_t i = 0; i < at; ++i) {
    if (chips[i].control.empty() || !around(chips[i].control, chips[at].control)) continue;
    for (std::size_t k = 0; k < kGoodColours; ++k) {
      if (kMarkColours[order[k].second] == chips[i].colour) used[k] = i + 1;
    }
  }
  std::size_t best = at % kGoodColours;
  for (std::size_t turn = 1; turn < kGoodColours; ++turn) {
    const std::size_t k = (at + turn) % kGoodColours;
    if (used[k] < used[best]) best = k;
  }
  return kMarkColours[order[best].second];
}

}  // namespace

Size chip_size(int number) {
  int digits = 1;
  for (int rest = std::abs(number) / 10; rest > 0; rest /= 10) ++digits;
  return {2 * kPadding + digits * (kDigitWidth + 1) - 1, 2 * kPadding + kDigitHeight};
}

std::vector<Chip> place_chips(std::span<const Mark> marks, const Frame& frame) {
  std::vector<Chip> chips;
  chips.reserve(marks.size());
  for (const Mark& mark : marks) chips.push_back({mark.number, whole_pixels(mark.box, frame.size()), {}, 0});
  std::vector<Place> places;
  Surroundings near;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    Chip& chip = chips[i];
    if (chip.control.empty()) continue;
    chip.colour = choose_colour(chips, i, frame);
    const Size size = chip_size(chip.number);
    if (size.width > frame.width || size.height > frame.height) continue;
    list_places(chip.control, size, frame.size(), places);
    near.take(chips, i, size);
    chip.box = best_place(chip.control, places, near, frame);
  }
  return chips;
}

}  // namespace handrail::vision

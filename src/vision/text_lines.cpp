#include "vision/text_lines.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "vision/reading_order.h"
#include "vision/workers.h"

namespace handrail::vision {
namespace {

// A step of brightness that makes an edge; grey text on white has steps of more than twice this.
constexpr int kStep = 24;
// Straight edges longer than this are borders and rulers, not strokes.
constexpr int kLongRow = 40;
constexpr int kLongColumn = 44;
// Edges of one row closer than this belong together; what stands further apart is joined by its height.
constexpr int kNear = 4;
constexpr int kBand = 64;

// Edges of a picture, a byte a pixel: bit 0 for a step to the right, bit 1 for a step down.
struct Edges {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bits;
  std::uint8_t* row(int y) { return bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
  const std::uint8_t* row(int y) const {
    return bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

int bands_of(int height) { return (height + kBand - 1) / kBand; }

void mark_row(const Grey& grey, int y, std::uint8_t* out) {
  const std::uint8_t* here = grey.row(y);
  const std::uint8_t* below = grey.row(std::min(y + 1, grey.height - 1));
  const int last = grey.width - 1;
  for (int x = 0; x < last; ++x) {
    const int across = std::abs(here[x + 1] - here[x]), down = std::abs(below[x] - here[x]);
    out[x] = static_cast<std::uint8_t>((across > kStep ? 1 : 0) | (down > kStep ? 2 : 0));
  }
  out[last] = static_cast<std::uint8_t>(std::abs(below[last] - here[last]) > kStep ? 2 : 0);
}

// Rows of steps down only, without a step across: the top or bottom of something wide.
void clear_long_rows(std::uint8_t* row, int width) {
  for (int x = 0; x < width;) {
    const int from = x;
    while (x < width && row[x] == 2) ++x;
    if (x - from > kLongRow) std::fill(row + from, row + x, std::uint8_t{0});
    if (x == from) ++x;
  }
}

void clear_long_columns(Edges& edges) {
  std::vector<int> length(static_cast<std::size_t>(edges.width));
  for (int y = 0; y <= edges.height; ++y) {
    const std::uint8_t* row = y < edges.height ? edges.row(y) : nullptr;
    for (int x = 0; x < edges.width; ++x) {
      int& run = length[static_cast<std::size_t>(x)];
      if (row != nullptr && row[x] == 1) {
        ++run;
        continue;
      }
      if (run > kLongColumn) {
        for (int up = y - run; up < y; ++up) edges.row(up)[x] = 0;
      }
      run = 0;
    }
  }
}

Edges edges_of(const Grey& grey) {
  Edges edges{grey.width, grey.height, std::vector<std::uint8_t>(grey.pixels.size())};
  share(bands_of(grey.height), [&](int band, int) {
    for (int y = band * kBand; y < std::min(grey.height, (band + 1) * kBand); ++y) {
      mark_row(grey, y, edges.row(y));
      clear_long_rows(edges.row(y), edges.width);
    }
  });
  clear_long_columns(edges);
  return edges;
}

// Which of many belong together.
class Groups {
 public:
  int add() {
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  int root(int of) {
    while (at(of) != of) of = at(of) = at(at(of));
    return of;
  }
  void join(int a, int b) { at(root(a)) = root(b); }

 private:
  int& at(int i) { return parents_[static_cast<std::size_t>(i)]; }
  std::vector<int> parents_;
};

struct Run {
  int from, to, y, group;
};

void unite(PixelRect& box, const PixelRect& with) {
  if (box.empty()) {
    box = with;
    return;
  }
  const int right = std::max(box.x + box.width, with.x + with.width);
  const int bottom = std::max(box.y + box.height, with.y + with.height);
  box.x = std::min(box.x, with.x);
  box.y = std::min(box.y, with.y);
  box.width = right - box.x;
  box.height = bottom - box.y;
}

// Boxes around edges that touch, or nearly so in a row.
std::vector<PixelRect> touching(const Edges& edges) {
  std::vector<Run> runs;
  Groups groups;
  std::size_t above = 0, above_end = 0;  // the runs of the row before
  for (int y = 0; y < edges.height; ++y) {
    const std::uint8_t* row = edges.row(y);
    const std::size_t first = runs.size();
    for (int x = 0; x < edges.width; ++x) {
      if (row[x] == 0) continue;
      if (runs.size() > first && x - runs.back().to <= kNear) {
        runs.back().to = x + 1;
      } else {
        runs.push_back({x, x + 1, y, groups.add()});
      }
    }
    std::size_t upper = above;
    for (std::size_t i = first; i < runs.size(); ++i) {
      while (upper < above_end && runs[upper].to < runs[i].from) ++upper;
      for (std::size_t k = upper; k < above_end && runs[k].from <= runs[i].to; ++k)
        groups.join(runs[k].group, runs[i].group);
    }
    above = first;
    above_end = runs.size();
  }
  std::vector<PixelRect> boxes(runs.size());
  for (const Run& run : runs) {
    unite(boxes[static_cast<std::size_t>(groups.root(run.group))], {run.from, run.y, run.to - run.from, 1});
  }
  std::erase_if(boxes, [](const PixelRect& box) { return box.empty(); });
  return boxes;
}

// The smallest box around the edges within another.
PixelRect trimmed(const Edges& edges, const PixelRect& box) {
  PixelRect found;
  for (int y = box.y; y < box.y + box.height; ++y) {
    const std::uint8_t* row = edges.row(y);
    int from = box.x, to = box.x + box.width;
    while (from < to && row[from] == 0) ++from;
    while (to > from && row[to - 1] == 0) --to;
    if (from < to) unite(found, {from, y, to - from, 1});
  }
  return found;
}

// Lines that are set so close that their letters touch are cut where there is least between them. Never cuts off less
// than ascenders or descenders are of a line.
void cut_in_lines(const Edges& edges, const PixelRect& box, std::vector<PixelRect>& lines) {
  if (box.empty()) return;
  if (box.height >= 3 * kLeastTextHeight) {
    std::vector<int> ink(static_cast<std::size_t>(box.height));
    for (int y = 0; y < box.height; ++y) {
      const std::uint8_t* row = edges.row(box.y + y) + box.x;
      ink[static_cast<std::size_t>(y)] = static_cast<int>(box.width - std::count(row, row + box.width, 0));
    }
    const int margin = box.height * 28 / 100;
    const auto least = std::min_element(ink.begin() + margin, ink.end() - margin);
    const std::int64_t sum = std::accumulate(ink.begin(), ink.end(), std::int64_t{0});
    if (static_cast<std::int64_t>(*least) * 4 * box.height < sum) {
      const int cut = static_cast<int>(least - ink.begin());
      cut_in_lines(edges, trimmed(edges, {box.x, box.y, box.width, cut}), lines);
      cut_in_lines(edges, trimmed(edges, {box.x, box.y + cut, box.width, box.height - cut}), lines);
      return;
    }
  }
  lines.push_back(box);
}

bool could_be_text(const PixelRect& box) {
  const bool upright_line =
      box.height >= 16 ? box.width * 4 <= box.height : box.height >= 12 && box.width * 6 <= box.height;
  return box.height <= kMostTextHeight && !upright_line;
}

int gap_between(const PixelRect& a, const PixelRect& b) {
  return std::max(a.x, b.x) - std::min(a.x + a.width, b.x + b.width);
}

// Dots, dashes and quotes beside letters.
bool much_lower(const PixelRect& low, const PixelRect& high) { return low.height * 20 < high.height * 9; }

// Two words of one line.
bool one_line(const PixelRect& a, const PixelRect& b) {
  const PixelRect& high = a.height >= b.height ? a : b;
  const PixelRect& low = a.height >= b.height ? b : a;
  if (much_lower(low, high)) return false;
  const int overlap = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  // An icon stands further from its label than a word from the next, and above and below it.
  const bool on_one_row = std::abs(a.y + a.height - b.y - b.height) <= 1 || std::abs(a.y - b.y) <= 1;
  const int most = high.height * 10 > low.height * 13 && !on_one_row ? low.height * 8 / 10 : high.height;
  return overlap * 2 >= low.height && gap_between(a, b) <= most;
}

// How far a dot, dash or quote is from the middle of the word it might belong to, up and down; -1 when it cannot. Dots
// on letters stand a little above the word.
int distance_of_dot(const PixelRect& dot, const PixelRect& word) {
  if (!much_lower(dot, word) || dot.width > word.height) return -1;
  if (gap_between(dot, word) > std::min(word.height * 2 / 5 + 1, 10)) return -1;
  const int away = std::abs(2 * dot.y + dot.height - 2 * word.y - word.height) / 2;
  return away * 10 <= word.height * 8 ? away : -1;
}

// Boxes by the rows they lie in, so that a screen full of small pieces stays quick. Fed from left to right.
class Bands {
 public:
  explicit Bands(const std::vector<PixelRect>& boxes) : boxes_(boxes) {}

  // Calls visit(k) for boxes that were added before and may be near to `i`, possibly more than once; then adds it.
  template <class Visit>
  void pass(int i, const Visit& visit) {
    const PixelRect& box = boxes_[static_cast<std::size_t>(i)];
    const int reach = box.height / 2 + 1;
    const int first = std::max(0, box.y - reach) / kRows, last = (box.y + box.height + reach) / kRows;
    if (static_cast<int>(bands_.size()) <= last) bands_.resize(static_cast<std::size_t>(last) + 1);
    for (int band = first; band <= last; ++band) {
      auto& others = bands_[static_cast<std::size_t>(band)];
      // Those that ended too far to the left are near to nothing any more.
      std::erase_if(others, [&](int k) {
        const PixelRect& other = boxes_[static_cast<std::size_t>(k)];
        return other.x + other.width + kMostTextHeight < box.x;
      });
      for (const int k : others) visit(k);
      others.push_back(i);
    }
  }

 private:
  static constexpr int kRows = 32;
  const std::vector<PixelRect>& boxes_;
  std::vector<std::vector<int>> bands_;
};

std::vector<PixelRect> joined(std::vector<PixelRect> pieces) {
  std::ranges::sort(pieces, [](const PixelRect& a, const PixelRect& b) { return a.x < b.x; });
  struct Owner {
    int word = -1;
    int distance = 0;
  };
  std::vector<Owner> owners(pieces.size());
  Groups groups;
  for (std::size_t i = 0; i < pieces.size(); ++i) groups.add();
  const auto piece = [&](int i) -> const PixelRect& { return pieces[static_cast<std::size_t>(i)]; };
  // A dot goes to one word only, or it would join the lines above and below it.
  const auto offer = [&](int dot, int word) {
    const int distance = distance_of_dot(piece(dot), piece(word));
    Owner& owner = owners[static_cast<std::size_t>(dot)];
    if (distance >= 0 && (owner.word < 0 || distance < owner.distance)) owner = {word, distance};
  };
  Bands bands(pieces);
  for (int i = 0; i < static_cast<int>(pieces.size()); ++i) {
    bands.pass(i, [&](int k) {
      if (one_line(piece(k), piece(i))) groups.join(k, i);
      offer(k, i);
      offer(i, k);
    });
  }
  std::vector<PixelRect> lines(pieces.size());
  for (int i = 0; i < static_cast<int>(pieces.size()); ++i) {
    const int word = owners[static_cast<std::size_t>(i)].word;
    unite(lines[static_cast<std::size_t>(groups.root(word >= 0 ? word : i))], piece(i));
  }
  std::erase_if(lines, [](const PixelRect& line) { return line.height < kLeastTextHeight || line.width < 2; });
  return lines;
}

}  // namespace

Grey grey_of(const Frame& frame) {
  Grey grey{frame.width, frame.height,
            std::vector<std::uint8_t>(static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height))};
  share(bands_of(frame.height), [&](int band, int) {
    for (int y = band * kBand; y < std::min(frame.height, (band + 1) * kBand); ++y) {
      const std::uint8_t* pixel = frame.row(y);
      std::uint8_t* out = grey.row(y);
      for (int x = 0; x < frame.width; ++x, pixel += 4) {
        out[x] = static_cast<std::uint8_t>((pixel[0] * 29 + pixel[1] * 150 + pixel[2] * 77) >> 8);
      }
    }
  });
  return grey;
}

std::vector<PixelRect> find_text_lines(const Grey& grey) {
  if (grey.width < 2 || grey.height < kLeastTextHeight) return {};
  const Edges edges = edges_of(grey);
  std::vector<PixelRect> pieces;
  for (const PixelRect& box : touching(edges)) cut_in_lines(edges, box, pieces);
  std::erase_if(pieces, [](const PixelRect& piece) { return !could_be_text(piece); });
  const std::vector<PixelRect> lines = joined(std::move(pieces));
  std::vector<Rect> boxes;
  boxes.reserve(lines.size());
  for (const PixelRect& line : lines) {
    boxes.push_back({static_cast<double>(line.x), static_cast<double>(line.y), static_cast<double>(line.width),
                     static_cast<double>(line.height)});
  }
  std::vector<PixelRect> ordered;
  ordered.reserve(lines.size());
  for (const std::size_t at : reading_order(boxes)) ordered.push_back(lines[at]);
  return ordered;
}

}  // namespace handrail::vision

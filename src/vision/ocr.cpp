#include "vision/ocr.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

namespace handrail::vision {
namespace {

constexpr std::size_t kKeptLines = 8192;
// Pixels of lines that take about as long to read as a second engine to load.
constexpr std::int64_t kWorthLoading = 2000;

Error stopped() { return make_error(Code::cancelled, "Reading the text was cancelled."); }

struct Transform {
  Rect area;
  double scale_x, scale_y;  // logical points for a pixel
  Rect operator()(const PixelRect& box) const {
    return {area.x + box.x * scale_x, area.y + box.y * scale_y, box.width * scale_x, box.height * scale_y};
  }
};

Rect around(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.x + a.width, b.x + b.width) - x, std::max(a.y + a.height, b.y + b.height) - y};
}

bool same_pixels(const Frame& a, const Frame& b) {
  if (a.size() != b.size()) return false;
  const std::size_t bytes = static_cast<std::size_t>(a.width) * 4;
  for (int y = 0; y < a.height; ++y) {
    if (std::memcmp(a.row(y), b.row(y), bytes) != 0) return false;
  }
  return true;
}

// The memory of a frame may be lent; that of the copy is used again.
void copy_into(Frame& copy, const Frame& frame) {
  if (copy.size() != frame.size()) copy = make_frame(frame.size());
  std::uint8_t* to = writable(copy);
  const std::size_t bytes = static_cast<std::size_t>(frame.width) * 4;
  for (int y = 0; y < frame.height; ++y) {
    std::memcpy(to + static_cast<std::size_t>(y) * copy.stride, frame.row(y), bytes);
  }
}

void append(TextLine& line, TextWord word) {
  line.box = line.words.empty() ? word.box : around(line.box, word.box);
  if (!line.words.empty()) line.text += ' ';
  line.text += word.text;
  line.confidence += word.confidence;
  line.words.push_back(std::move(word));
}

}  // namespace

TextReader::TextReader(std::string languages) : languages_(std::move(languages)) {}

const TextReader::Words* TextReader::Memory::find(const Key& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->words;
}

void TextReader::Memory::keep(const Key& key, Words words) {
  if (find(key) != nullptr) return;
  entries_.push_front({key, std::move(words)});
  places_.emplace(key, entries_.begin());
  if (entries_.size() <= kKeptLines) return;
  places_.erase(entries_.back().key);
  entries_.pop_back();
}

Result<ReadText> TextReader::read(const Frame& frame, const Rect& area, std::stop_token stop) {
  if (frame.size().empty() || area.empty()) return ReadText{};
  if (static_cast<std::int64_t>(frame.width) * frame.height > kMostTextPixels) {
    return make_error(Code::too_large,
                      fmt::format("A picture of {}x{} is too large to read.", frame.width, frame.height))
        .with_hint("Read a region of it.");
  }
  {
    std::unique_lock lock(mutex_);
    if (!free_.wait(lock, stop, [this] { return !busy_; })) return stopped();
    busy_ = true;
  }
  Result<ReadText> result = read_alone(frame, area, stop);
  {
    const std::lock_guard lock(mutex_);
    busy_ = false;
  }
  free_.notify_one();
  return result;
}

Status TextReader::read_lines(const std::vector<LinePicture>& cuts, const std::vector<std::size_t>& unread,
                              const std::stop_token& stop) {
  std::vector<Words> words(unread.size());
  std::vector<std::uint8_t> done(unread.size());
  std::atomic<std::size_t> next{0};
  // Each thread loads its own engine, at the same time. Also where nothing is to be read: a missing one is not told
  // apart from an empty screen otherwise.
  const auto work = [&](std::unique_ptr<OcrEngine>& engine) -> Status {
    if (!engine) engine = TRY(OcrEngine::load(languages_));
    for (std::size_t i = next++; i < unread.size() && !stop.stop_requested(); i = next++) {
      words[i] = read_line(*engine, cuts[unread[i]]);
      done[i] = 1;
    }
    return {};
  };
  std::int64_t width = 0;
  for (const std::size_t line : unread) width += cuts[line].cut.width;
  Status loaded;
  {
    std::jthread other;
    if (unread.size() > 1 && std::thread::hardware_concurrency() > 1 && (engines_[1] || width > kWorthLoading)) {
      // If it has no engine, the first one reads everything.
      other = std::jthread([&] { static_cast<void>(work(engines_[1])); });
    }
    loaded = work(engines_[0]);
  }
  for (std::size_t i = 0; i < unread.size(); ++i) {
    if (done[i] != 0) memory_.keep(cuts[unread[i]].key, std::move(words[i]));
  }
  return loaded;
}

Result<ReadText> TextReader::read_alone(const Frame& frame, const Rect& area, const std::stop_token& stop) {
  if (stop.stop_requested()) return stopped();
  if (last_ && last_->area == area && same_pixels(last_->frame, frame)) return last_->text;
  const Grey grey = grey_of(frame);
  std::vector<PixelRect> lines = find_text_lines(grey);
  ReadText text;
  text.complete = lines.size() <= kMostTextLines;
  if (!text.complete) lines.resize(kMostTextLines);

  std::vector<LinePicture> cuts(lines.size());
  std::vector<std::size_t> unread;
  std::set<Key> wanted;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    cuts[i] = cut_line(grey, lines[i]);
    if (memory_.find(cuts[i].key) == nullptr && wanted.insert(cuts[i].key).second) unread.push_back(i);
  }
  // The long ones first, so that both threads end at about the same time.
  std::ranges::sort(unread, [&](std::size_t a, std::size_t b) {
    return std::pair(-lines[a].width, a) < std::pair(-lines[b].width, b);
  });
  TRY(read_lines(cuts, unread, stop));
  if (stop.stop_requested()) return stopped();

  const Transform place{area, area.width / frame.width, area.height / frame.height};
  for (const LinePicture& cut : cuts) {
    TextLine line;
    for (const CutWord& word : *memory_.find(cut.key)) {
      const PixelRect box{cut.place.x + word.box.x, cut.place.y + word.box.y, word.box.width, word.box.height};
      append(line, {word.text, place(box), word.confidence});
    }
    if (line.words.empty()) continue;
    line.confidence /= static_cast<double>(line.words.size());
    text.lines.push_back(std::move(line));
  }
  if (!last_) last_.emplace();
  copy_into(last_->frame, frame);
  last_->area = area;
  last_->text = text;
  return text;
}

}  // namespace handrail::vision

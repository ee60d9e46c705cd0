// Text out of pixels: lines and words with their places and how sure they are. It knows nothing of where the pixels
// came from; what must not be read has to be painted over before.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/frame.h"
#include "model/geometry.h"
#include "vision/line_picture.h"
#include "vision/line_reader.h"
#include "vision/ocr_engine.h"

namespace handrail::vision {

struct TextWord {
  std::string text;       // untrusted, as is all text from a screen
  Rect box;               // logical desktop points
  double confidence = 0;  // 0 to 1
  friend bool operator==(const TextWord&, const TextWord&) = default;
};

struct TextLine {
  std::string text;  // its words with a space between
  Rect box;
  double confidence = 0;  // the mean of its words
  std::vector<TextWord> words;
  friend bool operator==(const TextLine&, const TextLine&) = default;
};

struct ReadText {
  std::vector<TextLine> lines;  // in reading order; none when nothing was found
  bool complete = true;         // else there was more than kMostTextLines
  friend bool operator==(const ReadText&, const ReadText&) = default;
};

inline constexpr std::size_t kMostTextLines = 3000;
// Pixels of a frame; beyond it is `too_large`.
inline constexpr std::int64_t kMostTextPixels = 64'000'000;

// Reads frames one at a time, the lines of each on two threads. Keeps its engines and what lines it read, so that a
// line that is seen again costs no reading. Any thread may call.
class TextReader {
 public:
  explicit TextReader(std::string languages = "eng");

  // `area` is what the frame shows in logical desktop points. `capability_unsupported` when the engine or its data are
  // missing, `cancelled` when `stop` is asked for before the end; lines read until then are kept.
  Result<ReadText> read(const Frame& frame, const Rect& area, std::stop_token stop = {});

 private:
  using Key = std::array<std::uint64_t, 2>;
  using Words = std::vector<CutWord>;

  // Lines by the hash of their pixels; the one that was not seen for longest goes first.
  class Memory {
   public:
    const Words* find(const Key& key);
    void keep(const Key& key, Words words);

   private:
    struct Entry {
      Key key;
      Words words;
    };
    std::list<Entry> entries_;
    std::map<Key, std::list<Entry>::iterator> places_;
  };

  Result<ReadText> read_alone(const Frame& frame, const Rect& area, const std::stop_token& stop);
  Status read_lines(const std::vector<LinePicture>& cuts, const std::vector<std::size_t>& unread,
                    const std::stop_token& stop);

  const std::string languages_;
  std::mutex mutex_;
  std::condition_variable_any free_;
  bool busy_ = false;
  // What follows belongs to the call that is at work.
  std::array<std::unique_ptr<OcrEngine>, 2> engines_;  // one for each thread, loaded when it has work
  Memory memory_;
  // The last picture, a copy of it, and what was read: one that is the same is not looked at again.
  struct Last {
    Frame frame;
    Rect area;
    ReadText text;
  };
  std::optional<Last> last_;
};

}  // namespace handrail::vision

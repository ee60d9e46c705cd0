// Lines from a descriptor, bounded: a line longer than the limit is thrown away as it arrives and
// reported once, so that no sender can make the program grow.
#pragma once

#include <cstddef>
#include <string>

namespace handrail::wire {

class LineReader {
 public:
  LineReader(int fd, std::size_t max_line) : fd_(fd), max_line_(max_line) {}

  enum class Event { line, too_long, end };

  // Blocks for input on `fd` or on `wake_fd` (-1: none); readiness of the latter is Event::end.
  // `line` holds the text without its newline. A last line without a newline counts.
  Event next(std::string& line, int wake_fd);

 private:
  bool fill(int wake_fd);

  int fd_;
  std::size_t max_line_;
  std::string buffer_;
  std::size_t scanned_ = 0;  // no newline before this place
  bool discarding_ = false;
  bool ended_ = false;
};

}  // namespace handrail::wire

// Whole lines to a descriptor, from several threads, without ever making one of them wait: what the
// other side does not take at once is kept and written by a thread of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/fd.h"

namespace handrail::wire {

class LineWriter {
 public:
  // More than `most_kept` bytes waiting means that nobody reads any more.
  LineWriter(int fd, std::size_t most_kept);
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // `line` gets its newline here. False once the other side has gone or does not read.
  bool write(std::string line);
  // Gives what is kept so long to be taken; the rest is dropped.
  void close(Millis patience);

 private:
  std::size_t write_now(std::string_view text);
  void work();

  const int fd_;
  const std::size_t most_kept_;
  Fd wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> kept_;
  std::size_t kept_bytes_ = 0;
  bool broken_ = false;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace handrail::wire

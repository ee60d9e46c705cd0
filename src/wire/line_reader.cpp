#include "wire/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace handrail::wire {
namespace {
constexpr std::size_t kChunk = 64 * 1024;
// A buffer that once held a large message is given back, so that memory stays flat.
constexpr std::size_t kKeptBuffer = 1 << 20;
}  // namespace

bool LineReader::fill(int wake_fd) {
  pollfd fds[2] = {{fd_, POLLIN, 0}, {wake_fd, POLLIN, 0}};
  while (true) {
    const int ready = ::poll(fds, wake_fd >= 0 ? 2 : 1, -1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0 || (fds[1].revents != 0 && wake_fd >= 0)) return false;
    const std::size_t old = buffer_.size();
    buffer_.resize(old + kChunk);
    const ssize_t got = ::read(fd_, buffer_.data() + old, kChunk);
    buffer_.resize(old + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got > 0) return true;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return false;
  }
}

LineReader::Event LineReader::next(std::string& line, int wake_fd) {
  while (true) {
    const std::size_t newline = buffer_.find('\n', scanned_);
    if (newline != std::string::npos) {
      line.assign(buffer_, 0, newline);
      buffer_.erase(0, newline + 1);
      if (buffer_.empty() && buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
      scanned_ = 0;
      if (!discarding_) return line.size() > max_line_ ? Event::too_long : Event::line;
      discarding_ = false;
      return Event::too_long;
    }
    scanned_ = buffer_.size();
    if (buffer_.size() > max_line_) {
      discarding_ = true;
      buffer_.clear();
      buffer_.shrink_to_fit();
      scanned_ = 0;
    }
    if (ended_) return Event::end;
    if (fill(wake_fd)) continue;
    ended_ = true;
    if (buffer_.empty() && !discarding_) return Event::end;
    buffer_ += '\n';
  }
}

}  // namespace handrail::wire

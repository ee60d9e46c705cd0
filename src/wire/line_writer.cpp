#include "wire/line_writer.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace handrail::wire {
namespace {

// A pipe that is ready takes this much without blocking. The descriptor itself stays in blocking mode:
// others may share it.
constexpr std::size_t kPortion = 4096;

}  // namespace

LineWriter::LineWriter(int fd, std::size_t most_kept)
    : fd_(fd), most_kept_(most_kept), wake_(::eventfd(0, EFD_CLOEXEC)), thread_([this] { work(); }) {}

LineWriter::~LineWriter() {
  close(Millis(0));
  thread_.join();
}

// As much as can go without waiting; the mutex is held.
std::size_t LineWriter::write_now(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    pollfd out{fd_, POLLOUT, 0};
    if (::poll(&out, 1, 0) <= 0) break;
    const ssize_t wrote = ::write(fd_, text.data() + done, std::min(kPortion, text.size() - done));
    if (wrote > 0) {
      done += static_cast<std::size_t>(wrote);
    } else if (wrote < 0 && errno != EINTR && errno != EAGAIN) {
      broken_ = true;
      break;
    }
  }
  return done;
}

bool LineWriter::write(std::string line) {
  line += '\n';
  const std::lock_guard lock(mutex_);
  if (broken_ || closing_) return false;
  if (kept_.empty()) line.erase(0, write_now(line));
  if (line.empty() || broken_) return !broken_;
  kept_bytes_ += line.size();
  if (kept_bytes_ > most_kept_) broken_ = true;
  kept_.push_back(std::move(line));
  changed_.notify_all();
  return !broken_;
}

void LineWriter::close(Millis patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return kept_.empty() || broken_; });
  closing_ = true;
  changed_.notify_all();
  ::eventfd_write(wake_.get(), 1);
}

void LineWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || (!kept_.empty() && !broken_); });
    if (closing_) return;
    lock.unlock();
    pollfd fds[2] = {{fd_, POLLOUT, 0}, {wake_.get(), POLLIN, 0}};
    ::poll(fds, 2, -1);
    lock.lock();
    if (closing_) return;
    std::string& first = kept_.front();
    const std::size_t done = write_now(first);
    first.erase(0, done);
    kept_bytes_ -= done;
    if (first.empty()) kept_.pop_front();
    if (kept_.empty() || broken_) changed_.notify_all();
  }
}

}  // namespace handrail::wire

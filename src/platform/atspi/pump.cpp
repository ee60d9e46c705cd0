#include "platform/atspi/pump.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"

namespace handrail::atspi {

BusPump::BusPump(Bus& bus, std::timed_mutex& mutex)
    : bus_(bus), mutex_(mutex), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Nobody could end it. What arrives is taken in by the next question.
  if (wake_ >= 0) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

BusPump::~BusPump() {
  if (wake_ < 0) return;
  thread_.request_stop();
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t told = ::write(wake_, &one, sizeof one);
  thread_.join();
  ::close(wake_);
}

void BusPump::run(const std::stop_token& stop) {
  const int socket = bus_.socket();
  while (!stop.stop_requested()) {
    pollfd sources[] = {{socket, POLLIN, 0}, {wake_, POLLIN, 0}};
    if (::poll(sources, 2, -1) < 0 && errno != EINTR) return;
    for (bool more = true; more;) {
      // Who holds it asks something, and takes in what arrives.
      std::unique_lock lock(mutex_, std::defer_lock);
      while (!stop.stop_requested() && !lock.try_lock_for(Millis(20))) {
      }
      if (stop.stop_requested()) return;
      more = bus_.drain();
      if (bus_.lost()) return;
    }
  }
}

}  // namespace handrail::atspi

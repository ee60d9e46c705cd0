#include "platform/x11/seat_sweeper.h"

#include "platform/x11/agent_seat.h"

namespace handrail::x11 {
namespace {

// One that is stuck is waited for, as it is this one that would end; but not for good, as a second keyboard keeps a
// person from typing into browsers.
constexpr Millis kAskAgain{5000};
constexpr Millis kBetween{100};
constexpr Millis kStuck{60000};
constexpr Millis kFarewell{2500};
constexpr std::uint32_t kFirstPing = 0x50000000;

}  // namespace

SeatSweeper::SeatSweeper(std::shared_ptr<Connection> connection, std::function<bool(Server&)> remove)
    : connection_(std::move(connection)), remove_(std::move(remove)), fence_(connection_, kFirstPing) {}

SeatSweeper::~SeatSweeper() {
  {
    std::unique_lock lock(mutex_);
    ended_.wait_until(lock, Clock::now() + kFarewell, [this] { return !under_way_; });
  }
  hold_off();
}

void SeatSweeper::sweep_behind(KeyTarget app) {
  const std::lock_guard one(one_at_a_time_);
  end_thread();
  {
    const std::lock_guard lock(mutex_);
    under_way_ = true;
  }
  thread_ = std::jthread([this, app](const std::stop_token& stop) {
    run(app, stop);
    const std::lock_guard lock(mutex_);
    under_way_ = false;
    ended_.notify_all();
  });
}

void SeatSweeper::hold_off() {
  const std::lock_guard one(one_at_a_time_);
  end_thread();
}

void SeatSweeper::end_thread() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void SeatSweeper::run(KeyTarget app, const std::stop_token& stop) {
  const Deadline stuck = Deadline::in(kStuck);
  while (app.answers_ping && !stop.stop_requested() && !stuck.passed()) {
    const auto answer = fence_.wait(app, Deadline::in(kAskAgain), stop);
    if (answer.ok() || answer.error().code == Code::backend_lost) break;
    if (!sleep_until(Clock::now() + kBetween, stop)) return;
  }
  while (sleep_until(Clock::now() + kSeatFrames, stop)) {
    const auto gone = connection_->call<bool>(Deadline::in(kBackendPatience), [&](Server& server) -> Result<bool> {
      return stop.stop_requested() || remove_(server);
    });
    if (!gone.ok() ? gone.error().code == Code::backend_lost : *gone) return;
  }
}

}  // namespace handrail::x11

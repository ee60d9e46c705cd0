#include "engine/tenure.h"

#include "base/log.h"

namespace handrail::engine {

Tenure::Tenure(Parts parts, std::string session) : parts_(std::move(parts)), session_(std::move(session)) {
  if (parts_.idle.count() > 0) {
    idle_watch_ = std::jthread([this](const std::stop_token& stop) { watch_idle(stop); });
  }
}

Tenure::~Tenure() {
  idle_watch_ = {};
  static_cast<void>(end(Deadline::in(kBackendPatience)));
}

Status Tenure::take(Deadline deadline) {
  if (parts_.lock == nullptr) return make_error(Code::permission_missing, "This desktop has no lock to take.");
  TRY(parts_.lock->take(session_, deadline));
  const bool first = [this] {
    const std::lock_guard lock(mutex_);
    return !std::exchange(has_desktop_, true);
  }();
  if (first && parts_.notify) parts_.notify(Taking::taken);
  return {};
}

Status Tenure::check() const {
  if (parts_.lock == nullptr) return make_error(Code::permission_missing, "This desktop has no lock to take.");
  return parts_.lock->check();
}

void Tenure::call_begins() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !idle_ends_; });
  ++calls_;
}

void Tenure::call_ends() {
  {
    const std::lock_guard lock(mutex_);
    --calls_;
    idle_since_ = Clock::now();
  }
  changed_.notify_all();
}

Status Tenure::end(Deadline deadline) {
  const std::lock_guard one_at_a_time(ending_);
  const bool had = [this] {
    const std::lock_guard lock(mutex_);
    return std::exchange(has_desktop_, false);
  }();
  const Status back = put_back(deadline);
  if (had) {
    parts_.lock->release();
    if (parts_.notify) parts_.notify(Taking::left);
  }
  return back;
}

// Each part is tried, whatever became of the others.
Status Tenure::put_back(Deadline deadline) {
  Status first;
  const auto note = [&first](Status status) {
    if (!status.ok() && first.ok()) first = std::move(status);
  };
  if (Input* input = parts_.computer.input()) note(input->release_all(deadline));
  if (Isolation* isolation = parts_.computer.isolation()) note(isolation->restore(deadline));
  if (ClipboardGuard* guard = parts_.computer.clipboard_guard()) note(guard->restore(deadline));
  return first;
}

void Tenure::watch_idle(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!has_desktop_ || calls_ > 0) {
      changed_.wait(lock, stop, [this] { return has_desktop_ && calls_ == 0; });
      continue;
    }
    const TimePoint due = idle_since_ + parts_.idle;
    const TimePoint since = idle_since_;
    changed_.wait_until(lock, stop, due, [&] { return calls_ > 0 || idle_since_ != since; });
    if (stop.stop_requested()) return;
    if (calls_ > 0 || idle_since_ != since || Clock::now() < due) continue;
    // Decided under the same lock that counts calls: from here on none begins until the end is done.
    idle_ends_ = true;
    lock.unlock();
    log(LogLevel::info, "idle: the desktop is given back");
    static_cast<void>(end(Deadline::in(kBackendPatience)));
    lock.lock();
    idle_ends_ = false;
    changed_.notify_all();
  }
}

}  // namespace handrail::engine

#include "engine/tenure.h"

#include "base/log.h"

namespace handrail::engine {

Tenure::Tenure(Parts parts, std::string session) : parts_(std::move(parts)), session_(std::move(session)) {
  watch_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Tenure::~Tenure() {
  watch_ = {};
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
  changed_.wait(lock, [this] { return !between_calls_; });
  person_came_ = false;
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

void Tenure::person_came() {
  Input* input = parts_.computer.input();
  if (input == nullptr || (input->held_keys().empty() && input->held_buttons().empty())) return;
  {
    const std::lock_guard lock(mutex_);
    // A call has it, or has just been told to stop: who goes on using the desktop is noticed after it.
    if (calls_ > 0) return;
    person_came_ = true;
  }
  changed_.notify_all();
}

void Tenure::end_idle_turn() {
  log(LogLevel::info, "idle: the desktop is given back");
  static_cast<void>(end(Deadline::in(kBackendPatience)));
}

void Tenure::let_go() {
  log(LogLevel::info, "a person uses the desktop: keys and buttons that were left down are let go of");
  if (Input* input = parts_.computer.input()) {
    static_cast<void>(input->release_all(Deadline::in(kBackendPatience)));
  }
}

void Tenure::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!has_desktop_ || calls_ > 0) {
      changed_.wait(lock, stop, [this] { return has_desktop_ && calls_ == 0; });
      continue;
    }
    const TimePoint since = idle_since_;
    const auto news = [&] { return calls_ > 0 || idle_since_ != since || person_came_; };
    const bool ends = parts_.idle.count() > 0;
    if (ends)
      changed_.wait_until(lock, stop, since + parts_.idle, news);
    else
      changed_.wait(lock, stop, news);
    if (stop.stop_requested()) return;
    const bool person = std::exchange(person_came_, false) && calls_ == 0;
    const bool idle = ends && calls_ == 0 && idle_since_ == since && Clock::now() >= since + parts_.idle;
    if (!person && !idle) continue;
    // Decided under the same lock that counts calls: from here on none begins until it is done.
    between_calls_ = true;
    lock.unlock();
    person ? let_go() : end_idle_turn();
    lock.lock();
    between_calls_ = false;
    changed_.notify_all();
  }
}

}  // namespace handrail::engine

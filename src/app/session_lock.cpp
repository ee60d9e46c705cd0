#include "app/session_lock.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "platform/linux/process_table.h"

namespace handrail::app {
namespace {

// The process that a claim names, when it is one of this machine that is stopped: it cannot let go by itself.
bool is_stopped_holder(const std::string& who) {
  const std::size_t at = who.find("pid ");
  long pid = 0;
  if (at == std::string::npos || std::sscanf(who.c_str() + at, "pid %ld", &pid) != 1 || pid <= 0) return false;
  const auto holder = linux_::process_facts(static_cast<pid_t>(pid));
  return holder && (holder->state == 'T' || holder->state == 't');
}

}  // namespace

std::shared_ptr<linux_::LockFile> SessionLock::file() const {
  const std::lock_guard lock(mutex_);
  return file_;
}

Status SessionLock::take(const std::string& session, Deadline deadline) {
  const std::lock_guard one_at_a_time(taking_);
  const std::string path = linux_::lock_file_path(folder_, TRY(display_()));
  if (path != path_) {
    const std::lock_guard lock(mutex_);
    file_ = std::make_shared<linux_::LockFile>(path);
    path_ = path;
  }
  const std::shared_ptr<linux_::LockFile> held = file();
  TRY(held->take(session, deadline));
  const std::string who = fmt::format("session {} (pid {})", session, ::getpid());
  Status claimed = claim_->take(who, deadline);
  if (!claimed.ok() && claimed.error().code == Code::busy) {
    // The file is ours: a holder of the display that shares it is dead or was stopped for long enough.
    const auto holder = claim_->holder(deadline);
    if (holder.ok() && is_stopped_holder(*holder)) claimed = claim_->seize(who, deadline);
  }
  if (!claimed.ok()) held->release();
  return claimed;
}

// Asked where events are sent: it waits for nobody who talks to the display.
Status SessionLock::check() {
  const std::shared_ptr<linux_::LockFile> held = file();
  if (!held) return make_error(Code::busy, "The desktop is not held by this session.");
  return held->check();
}

void SessionLock::release() noexcept {
  const std::lock_guard one_at_a_time(taking_);
  claim_->release();
  if (const auto held = file()) held->release();
}

}  // namespace handrail::app

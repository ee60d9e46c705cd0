#include "platform/linux/guardian_link.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "platform/linux/guardian_wire.h"
#include "platform/linux/process_table.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::linux_ {
namespace {

// A stand-in takes over in a few milliseconds; one that does not answer is not there.
constexpr Millis kTakeOverPatience{3000};
constexpr Millis kFarewell{1000};

Error no_guardian(std::string_view why) {
  return make_error(Code::permission_missing, fmt::format("There is no guardian that could undo things: {}", why))
      .with_hint("Repeat the call: it starts the guardian again. If it fails again, see `handrail guardian status`.");
}

bool has_ended(int pidfd) {
  pollfd ended{pidfd, POLLIN, 0};
  return ::poll(&ended, 1, 0) > 0;
}

}  // namespace

Result<std::unique_ptr<GuardianLink>> GuardianLink::start(GuardianOptions options) {
  GuardianRecord record = TRY(GuardianRecord::make());
  TRY(record.write_display(options.display));
  record.state().server = ::getpid();
  if (const auto folder = runtime_folder(); folder.ok()) record.write_folder(*folder);
  std::unique_ptr<GuardianLink> link(new GuardianLink(std::move(options), std::move(record)));
  link->wake_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const std::lock_guard asking(link->asking_);
  const Status spawned = link->spawn();
  if (!spawned.ok()) return no_guardian(spawned.error().message);
  return link;
}

GuardianLink::~GuardianLink() {
  const std::lock_guard asking(asking_);
  const GuardianRequest leave{GuardianAsk::leave, 0, ++last_id_, 0};
  if (socket_.valid() && send_request(socket_.get(), leave).ok()) {
    static_cast<void>(await_answer(socket_.get(), leave.id, guardian_.get(), Deadline::in(kFarewell)));
  }
  // It may live on for the sake of the clipboard.
  if (process_ && !process_->poll()) process_->detach();
}

Status GuardianLink::spawn() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return make_error(Code::io_error, fmt::format("Cannot make a socket: {}", std::strerror(errno)));
  }
  const Fd theirs(ends[1]);
  // Before the old end closes: a guardian that is left over must see that it was replaced, not that the server died.
  ++record_.state().link;
  record_.state().over = 0;
  socket_ = Fd(ends[0]);
  const Fd self = TRY(open_pidfd(::getpid()));
  SpawnOptions spawn;
  spawn.argv = {"handrail", "guardian", "run"};
  spawn.program = options_.program.empty() ? "/proc/self/exe" : options_.program;
  spawn.environment = current_environment();
  spawn.cwd = std::string("/");
  spawn.keep = {{theirs.get(), kLinkFd}, {record_.fd(), kRecordFd}, {wake_.get(), kWakeFd}, {self.get(), kServerFd}};
  spawn.leads = Leads::session;
  process_.reset();
  process_ = TRY(Process::spawn(spawn));
  return greet(process_->pidfd(), Deadline::in(options_.patience));
}

Status GuardianLink::greet(int pidfd, Deadline deadline) {
  const GuardianRequest hello{GuardianAsk::hello, 0, ++last_id_, 0};
  TRY(send_request(socket_.get(), hello));
  const GuardianAnswer answer = TRY(await_answer(socket_.get(), hello.id, pidfd, deadline));
  Fd guardian = TRY(open_pidfd(answer.pid));
  const std::lock_guard lock(mutex_);
  guardian_ = std::move(guardian);
  state_ = open_state(answer.pid);
  return {};
}

bool GuardianLink::alive() {
  const std::lock_guard lock(mutex_);
  return guardian_.valid() && !has_ended(guardian_.get());
}

bool GuardianLink::stopped() {
  const std::lock_guard lock(mutex_);
  return state_now(state_) == 'T';
}

Status GuardianLink::revive() {
  if (alive()) return {};
  if (process_) process_->poll();
  if (socket_.valid() && greet(-1, Deadline::in(kTakeOverPatience)).ok() && alive()) return {};
  return spawn();
}

Status GuardianLink::ready() {
  const bool was_stopped = stopped();
  if (was_stopped) {
    // It could not undo anything; its stand-in can.
    const std::lock_guard lock(mutex_);
    if (guardian_.valid()) static_cast<void>(signal_pidfd(guardian_.get(), SIGKILL));
  } else if (alive()) {
    return {};
  }
  const std::unique_lock asking(asking_, Clock::now() + options_.patience);
  if (!asking.owns_lock()) return no_guardian("another call is starting it.");
  {
    const std::lock_guard lock(mutex_);
    if (was_stopped && guardian_.valid()) {
      pollfd ended{guardian_.get(), POLLIN, 0};
      ::poll(&ended, 1, static_cast<int>(kTakeOverPatience.count()));
    }
  }
  const Status revived = revive();
  if (!revived.ok()) return no_guardian(revived.error().message);
  return {};
}

Status GuardianLink::held(const HeldNow& now) {
  const std::lock_guard lock(mutex_);
  record_.write_held(now);
  if (guardian_.valid() && !has_ended(guardian_.get())) return {};
  return no_guardian("it has died.");
}

Status GuardianLink::keep(Kept what, std::string bytes) {
  const std::lock_guard lock(mutex_);
  TRY(record_.write(what, bytes));
  if (guardian_.valid() && !has_ended(guardian_.get())) return {};
  return no_guardian("it has died.");
}

Status GuardianLink::give_back(Kept what, Deadline deadline) {
  if (!record_.has(what)) return {};
  TRY(ready());
  const std::unique_lock asking(asking_, deadline.at());
  if (!asking.owns_lock()) return make_error(Code::busy, "The guardian is busy with another restore.");
  while (record_.has(what)) {
    const GuardianRequest request{GuardianAsk::give_back, static_cast<std::uint32_t>(what), ++last_id_,
                                  static_cast<std::uint64_t>(deadline.left().count())};
    const Status sent = send_request(socket_.get(), request);
    const auto answer = sent.ok() ? await_answer(socket_.get(), request.id, guardian_.get(), deadline)
                                  : Result<GuardianAnswer>(sent.error());
    if (answer.ok()) {
      TRY(outcome_of(*answer));
      break;
    }
    if (deadline.passed() || answer.error().code == Code::timeout) {
      return make_error(Code::timeout, "The guardian did not restore it in time.")
          .with_side_effects(SideEffects::possible);
    }
    // It died over it; the next one does it from the record.
    if (const Status revived = revive(); !revived.ok()) return no_guardian(revived.error().message);
  }
  const std::lock_guard lock(mutex_);
  record_.free_unused();
  return {};
}

void GuardianLink::grabbing(bool on) noexcept {
  GuardianState& state = record_.state();
  const std::uint32_t now = state.grab;
  state.grab = on ? (now | 1) + 2 : now & ~std::uint32_t{1};
  if (!on || state.awake != 0) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
}

Status GuardianLink::watch_display(std::string display, std::string xauthority) {
  const std::lock_guard lock(mutex_);
  return record_.write_display({std::move(display), std::move(xauthority)});
}

}  // namespace handrail::linux_

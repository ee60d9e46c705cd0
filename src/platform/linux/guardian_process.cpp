#include "platform/linux/guardian_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>

#include "base/log.h"
#include "base/process.h"
#include "platform/linux/guardian_record.h"
#include "platform/linux/guardian_watch.h"
#include "platform/linux/guardian_wire.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {
namespace {

constexpr std::array kUndoOrder{Kept::keymap, Kept::windows, Kept::clipboard};
// One attempt to undo, and all of them: a display that cannot be reached for so long is gone, and what was on it too.
constexpr Millis kAttempt{2000};
constexpr Millis kUndoPatience{5000};
constexpr int kNextAttemptMs = 50;
// How often a restored clipboard is looked at: whether somebody has copied something else.
constexpr int kHoldingLookMs = 1000;
constexpr int kGrabLookMs = 50;
// Without a grab for so long, looking stops until the server says that one begins.
constexpr Millis kGrabIdle{3000};
constexpr int kMaxStandIns = 20;

struct Descriptors {
  Fd link;
  Fd wake;
  Fd server;
};

bool readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

class Guardian {
 public:
  Guardian(GuardianRecord& record, Descriptors& fds, std::uint32_t link, std::unique_ptr<Restorer> restorer)
      : record_(record), fds_(fds), restorer_(std::move(restorer)), link_(link) {}

  void run() {
    if (replaced()) return;
    record_.state().guardian = ::getpid();
    start_stand_in();
    take_up_clipboard();
    const std::optional<GuardianRequest> farewell = listen();
    if (!replaced()) {
      undo(farewell ? 0 : record_.state().server.load());
      if (farewell) static_cast<void>(send_answer(fds_.link.get(), answer_to(farewell->id, {})));
      ::signal(SIGTERM, SIG_DFL);
      hold();
    }
    record_.state().over = replaced() ? 0 : 1;
    // It has nothing to take over.
    if (stand_in_) static_cast<void>(stand_in_->terminate(Millis(0)));
  }

 private:
  // The server has started another guardian on the same record.
  bool replaced() const { return record_.state().link != link_; }

  void start_stand_in() {
    if (stand_in_ && !stand_in_->poll()) return;
    if (replaced() || ++stand_ins_ > kMaxStandIns) return;
    const auto self = open_pidfd(::getpid());
    if (!self.ok()) return;
    SpawnOptions spawn;
    spawn.argv = {"handrail", "guardian", "stand-in"};
    spawn.program = "/proc/self/exe";
    spawn.environment = current_environment();
    spawn.cwd = "/";
    spawn.keep = {{fds_.link.get(), kLinkFd},
                  {record_.fd(), kRecordFd},
                  {fds_.wake.get(), kWakeFd},
                  {fds_.server.get(), kServerFd},
                  {self->get(), kActiveFd}};
    // Not to be met by a signal to the guardian's group.
    spawn.leads = Leads::session;
    stand_in_.reset();
    if (auto started = Process::spawn(spawn); started.ok()) stand_in_.emplace(std::move(*started));
  }

  int stand_in_fd() const { return stand_in_ ? stand_in_->pidfd() : -1; }

  // Until the server says goodbye, which is returned, or has gone without.
  std::optional<GuardianRequest> listen() {
    for (;;) {
      std::array<pollfd, 3> waits{
          {{fds_.link.get(), POLLIN, 0}, {fds_.server.get(), POLLIN, 0}, {stand_in_fd(), POLLIN, 0}}};
      ::poll(waits.data(), waits.size(), serving() ? kHoldingLookMs : -1);
      if (waits[2].revents != 0) start_stand_in();
      if (serving() && !restorer_->holding()) record_.serve(0);
      if (waits[0].revents != 0) {
        const auto request = receive_guardian_request(fds_.link.get());
        if (request.ok() && !*request) return {};
        if (request.ok() && (*request)->ask == GuardianAsk::leave) return **request;
        if (request.ok()) answer(**request);
      }
      if (waits[1].revents != 0) return {};
    }
  }

  void answer(const GuardianRequest& request) {
    Status outcome;
    if (request.ask == GuardianAsk::give_back && request.kept < kKinds) {
      const Deadline deadline = Deadline::in(Millis(static_cast<Millis::rep>(request.patience_ms)));
      outcome = connect(0, deadline);
      if (outcome.ok()) outcome = restore(static_cast<Kept>(request.kept), deadline);
    }
    static_cast<void>(send_answer(fds_.link.get(), answer_to(request.id, outcome)));
  }

  Status connect(std::int64_t dead, Deadline deadline) {
    const WatchedDisplay display = record_.display();
    return restorer_->connect(display.name, display.xauthority, dead, deadline);
  }

  Status restore(Kept what, Deadline deadline) {
    const auto kept = TRY(record_.read(what));
    if (!kept) return {};
    const Status restored = restorer_->restore(what, kept->bytes, deadline);
    if (restored.ok() && what == Kept::clipboard) {
      record_.serve(kept->mark);
    } else if (restored.ok() || restored.error().code == Code::argument_invalid ||
               restored.error().code == Code::capability_unsupported) {
      record_.forget(what, kept->mark);
    }
    return restored;
  }

  bool nothing_left() const {
    const HeldNow held = record_.held();
    bool none = held.keycodes.empty() && held.buttons.empty();
    for (const Kept what : kUndoOrder) none = none && !record_.has(what);
    return none;
  }

  // What cannot be done does not keep the rest from being done.
  void undo_once(std::int64_t dead, Deadline deadline) {
    const Status connected = connect(dead, deadline);
    if (!connected.ok()) return log(LogLevel::warning, "guardian: {}", to_text(connected.error()));
    const HeldNow held = record_.held();
    bool released = false;
    if (!held.keycodes.empty() || !held.buttons.empty()) {
      const auto left = restorer_->release(held, deadline);
      released = left.ok();
      if (released) record_.write_held(*left);
    }
    for (const Kept what : kUndoOrder) {
      const Status restored = restore(what, deadline);
      if (!restored.ok()) log(LogLevel::warning, "guardian: {}", to_text(restored.error()));
    }
    if (released && restorer_->tidy().ok()) record_.write_held({});
  }

  void undo(std::int64_t dead) {
    const Deadline patience = Deadline::in(kUndoPatience);
    while (!nothing_left()) {
      undo_once(dead, Deadline::in(kAttempt));
      if (nothing_left() || patience.passed()) return;
      ::poll(nullptr, 0, kNextAttemptMs);
    }
  }

  bool serving() const { return record_.state().content[static_cast<std::size_t>(Kept::clipboard)].served != 0; }

  // After another guardian that held the person's clipboard and died.
  void take_up_clipboard() {
    const auto served = record_.read_served();
    if (!served.ok() || !*served) return;
    const Deadline deadline = Deadline::in(kAttempt);
    if (!connect(0, deadline).ok() || !restorer_->hold_again((*served)->bytes, deadline).ok()) record_.serve(0);
  }

  // The content of the clipboard dies with its owner.
  void hold() {
    while (serving()) {
      if (!restorer_->holding()) {
        record_.serve(0);
        record_.free_unused();
        return;
      }
      pollfd other{stand_in_fd(), POLLIN, 0};
      if (::poll(&other, 1, kHoldingLookMs) > 0) start_stand_in();
    }
  }

  GuardianRecord& record_;
  Descriptors& fds_;
  std::unique_ptr<Restorer> restorer_;
  std::uint32_t link_;
  std::optional<Process> stand_in_;
  int stand_ins_ = 0;
};

// Until the guardian has ended. True when there is something to take over.
bool stand_by(GuardianRecord& record, const Descriptors& fds, const Fd& active, std::uint32_t link) {
  GrabWatch grabs;
  bool awake = true;
  while (!readable(active.get())) {
    record.state().awake = awake ? 1 : 0;
    // A grab that began before the flag was down woke nobody.
    if (!awake && record.state().grab % 2 == 1) awake = true;
    std::array<pollfd, 2> waits{{{active.get(), POLLIN, 0}, {fds.wake.get(), POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), awake ? kGrabLookMs : -1);
    std::uint64_t count = 0;
    if (waits[1].revents != 0 && ::read(fds.wake.get(), &count, sizeof count) > 0) awake = true;
    const std::uint32_t grab = record.state().grab;
    const auto facts = grab % 2 == 1 ? process_facts(record.state().server) : std::nullopt;
    // Not 't', where a tracer has it: that is over in no time, again and again.
    const bool stopped = facts && facts->state == 'T';
    if (grabs.stuck(grab, stopped, Clock::now())) static_cast<void>(signal_pidfd(fds.server.get(), SIGKILL));
    if (grab % 2 == 0 && grabs.unchanged(Clock::now()) > kGrabIdle) awake = false;
  }
  return record.state().link == link && record.state().over == 0;
}

void settle_in() {
  for (const int fd : {kLinkFd, kRecordFd, kWakeFd, kServerFd}) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::prctl(PR_SET_NAME, "handrail-guard");
  // What it holds must not be written to a file by the kernel either.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (const int signal : {SIGPIPE, SIGINT, SIGHUP, SIGTERM}) ::signal(signal, SIG_IGN);
}

}  // namespace

int guardian_main(std::string_view role, const std::function<std::unique_ptr<Restorer>()>& make_restorer) {
  settle_in();
  Descriptors fds{Fd(kLinkFd), Fd(kWakeFd), Fd(kServerFd)};
  auto record = GuardianRecord::open(Fd(kRecordFd), GuardianRecord::Use::share);
  if (!record.ok()) return row(record.error().code).cli_exit;
  const std::uint32_t link = record->state().link;
  if (role == "stand-in") {
    const Fd active(kActiveFd);
    ::fcntl(kActiveFd, F_SETFD, FD_CLOEXEC);
    if (!stand_by(*record, fds, active, link)) return 0;
  }
  Guardian(*record, fds, link, make_restorer()).run();
  return 0;
}

}  // namespace handrail::linux_

#include "platform/linux/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/json.h"
#include "platform/linux/x_server.h"

namespace handrail::linux_ {
namespace {

// Enough for programs to end by themselves, within the 200 ms that a stop may take in all.
constexpr Millis kProgramGrace{60};
constexpr Millis kPartGrace{80};
// A window manager that keeps ending is broken; starting it again would not help.
constexpr int kMaxManagerStarts = 5;

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  return set;
}

void write_line(int fd, const Json& value) {
  const std::string line = to_line(value) + "\n";
  const ssize_t ignored = ::write(fd, line.data(), line.size());
  static_cast<void>(ignored);
}

ProcessId own_id(pid_t pid) {
  const auto facts = process_facts(pid);
  return facts ? facts->id : ProcessId{pid, 0};
}

void reap_all() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;
}

// Ends everything that descends from this process or carries the desktop's mark, until nothing does.
void end_everything(const std::string& marker, Millis grace) {
  for (int round = 0; round < 20; ++round) {
    std::vector<ProcessId> left = descendants(::getpid());
    // What was adopted by another reaper is no descendant any more.
    for (const ProcessId& id : processes_started_with(marker)) {
      if (std::ranges::find(left, id) == left.end()) left.push_back(id);
    }
    if (left.empty()) break;
    // Those that appear while others end have no claim to a second grace.
    end_processes(left, round == 0 ? grace : Millis(0));
    reap_all();
  }
  reap_all();
}

void remove_traces(const SuperviseRequest& request, const DesktopInfo& info, NameLock& lock) {
  remove_server_files(info.display, info.server);
  remove_folder(request.runtime_dir);
  lock.discard();
}

class Supervisor {
 public:
  Supervisor(SuperviseRequest request, pid_t keeper, Fd report, Fd owner)
      : request_(request),
        session_(std::move(request)),
        keeper_(keeper),
        report_(std::move(report)),
        owner_(std::move(owner)) {}

  int run(const DefineMonitors& define_monitors) {
    const sigset_t signals = watched_signals();
    signals_ = Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    Status started = start(define_monitors);
    if (started.ok()) {
      loop();
      shut_down();
      return 0;
    }
    started.error().message += last_words();
    // The reader learns of the failure once everything is gone again.
    shut_down();
    write_line(report_.get(), {{"error", to_json(started.error())}, {"keeper", keeper_}});
    return row(started.error().code).cli_exit;
  }

  const DesktopInfo& info() const { return session_.info(); }

 private:
  struct Client {
    Fd socket;
    pid_t program = 0;  // 0: has not asked yet
    bool bound = false;
  };

  Status start(const DefineMonitors& define_monitors) {
    control_ = TRY(listen_for_control(request_.runtime_dir));
    TRY(session_.start(define_monitors));
    session_.info().keeper = own_id(keeper_);
    session_.info().supervisor = own_id(::getpid());
    TRY(write_state(session_.info()));
    write_line(report_.get(), {{"desktop", to_json(session_.info())}});
    report_.reset();
    return {};
  }

  // What a part said before it failed; the log goes with the folder.
  std::string last_words() const {
    const Result<std::string> log = read_small_file(request_.runtime_dir + "/log", 64 * 1024);
    if (!log.ok() || log->empty()) return "";
    const std::size_t end = log->find_last_not_of('\n');
    const std::size_t start = log->rfind('\n', end);
    return fmt::format(" Its log ends with: {}", log->substr(start == std::string::npos ? 0 : start + 1, end - start));
  }

  void loop() {
    while (!ending_) {
      std::vector<pollfd> waits{{signals_.get(), POLLIN, 0}, {control_.get(), POLLIN, 0}, {owner_.get(), POLLIN, 0}};
      for (const Client& client : clients_) waits.push_back({client.socket.get(), POLLIN, 0});
      if (::poll(waits.data(), waits.size(), -1) < 0) continue;
      // Clients first: accepting moves them.
      for (std::size_t i = clients_.size(); i-- > 0;) {
        if (waits[i + 3].revents != 0) serve(i);
      }
      if (waits[0].revents != 0) take_signals();
      if (waits[1].revents != 0) accept_client();
      if (waits[2].revents != 0) ending_ = true;
    }
  }

  void take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo != SIGCHLD) ending_ = true;
    }
    reap();
  }

  // Parts are told apart from orphans before they are reaped: a Process reaps its own.
  void reap() {
    for (;;) {
      siginfo_t ended{};
      if (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return;
      auto& parts = session_.parts();
      const auto part = std::ranges::find_if(parts, [&](const Part& p) { return p.process.pid() == ended.si_pid; });
      if (part == parts.end()) {
        ::waitpid(ended.si_pid, nullptr, 0);
        continue;
      }
      const ExitStatus status = part->process.poll().value_or(ExitStatus{});
      const Role role = part->role;
      parts.erase(part);
      part_ended(role, ended.si_pid, status);
    }
  }

  void part_ended(Role role, pid_t pid, const ExitStatus& status) {
    switch (role) {
      case Role::server:
      case Role::bus: ending_ = true; break;
      case Role::window_manager:
        if (++manager_starts_ > kMaxManagerStarts || !session_.start_window_manager().ok()) ending_ = true;
        break;
      case Role::accessibility: break;  // the bus starts it again when somebody asks for it
      case Role::program:
        std::erase_if(clients_, [&](const Client& client) {
          if (client.program != pid) return false;
          static_cast<void>(send_message(client.socket.get(), {{"exit", to_json(status)}}));
          return true;
        });
        break;
    }
  }

  void accept_client() {
    Fd socket(::accept4(control_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    ucred peer{};
    socklen_t size = sizeof peer;
    // The folder is private already; this holds when somebody loosens its mode.
    if (!socket.valid() || ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
        (peer.uid != ::geteuid() && peer.uid != 0)) {
      return;
    }
    clients_.push_back({std::move(socket), 0, false});
  }

  // A message is the request; its end is the client's farewell.
  void serve(std::size_t index) {
    Client& client = clients_[index];
    Result<ControlMessage> message = receive_message(client.socket.get());
    if (!message.ok() || client.program != 0) {
      if (client.bound) end_program(client.program);
      clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(index));
      return;
    }
    const Result<ProgramRequest> request = program_request(*message);
    const Result<pid_t> pid = request.ok() ? session_.start_program(*request) : Result<pid_t>(request.error());
    if (!pid.ok()) {
      static_cast<void>(send_message(client.socket.get(), {{"error", to_json(pid.error())}}));
      clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(index));
      return;
    }
    client.program = *pid;
    client.bound = request->bound;
    static_cast<void>(send_message(client.socket.get(), {{"pid", *pid}}));
  }

  void end_program(pid_t pid) {
    for (Part& part : session_.parts()) {
      if (part.role == Role::program && part.process.pid() == pid) static_cast<void>(part.process.send_signal(SIGTERM));
    }
  }

  // Programs first, while there is a display and a bus to say goodbye to.
  void shut_down() {
    std::vector<pid_t> last;
    for (const Part& part : session_.parts()) {
      if (part.role == Role::server || part.role == Role::bus) last.push_back(part.process.pid());
    }
    std::vector<ProcessId> programs = descendants(::getpid());
    std::erase_if(programs, [&](const ProcessId& id) { return std::ranges::find(last, id.pid) != last.end(); });
    end_processes(programs, kProgramGrace);
    for (Part& part : session_.parts()) part.process.detach();
    end_everything(marker_entry(request_.name, request_.id), kPartGrace);
  }

  SuperviseRequest request_;
  DesktopSession session_;
  pid_t keeper_;
  Fd report_;
  Fd owner_;
  Fd signals_;
  Fd control_;
  std::vector<Client> clients_;
  int manager_starts_ = 1;
  bool ending_ = false;
};

// Waits for the supervisor's end and cleans up after it.
int keep(const SuperviseRequest& request, pid_t supervisor, NameLock lock) {
  ::prctl(PR_SET_NAME, "handrail-keeper");
  const sigset_t signals = watched_signals();
  for (bool ended = false; !ended;) {
    const int signal = ::sigwaitinfo(&signals, nullptr);
    if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) ::kill(supervisor, SIGTERM);
    for (pid_t pid = 0; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) ended = ended || pid == supervisor;
  }
  end_everything(marker_entry(request.name, request.id), kPartGrace);
  std::string folder = request.runtime_dir.substr(0, request.runtime_dir.rfind('/'));
  const Result<DesktopInfo> info = read_state(folder, request.name);
  remove_traces(request, info.ok() ? *info : DesktopInfo{}, lock);
  return 0;
}

Result<SuperviseRequest> read_request() {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(STDIN_FILENO, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return supervise_request(TRY(parse_json(text)));
}

}  // namespace

int supervise(const DefineMonitors& define_monitors) {
  Fd report(kReportFd);
  const Result<SuperviseRequest> request = read_request();
  if (!request.ok()) {
    write_line(report.get(), {{"error", to_json(request.error())}});
    return row(request.error().code).cli_exit;
  }
  for (const int fd : {kReportFd, kLockFd, kOwnerFd}) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  NameLock lock(Fd(kLockFd), request->lock_path);
  Fd owner(request->owned ? kOwnerFd : -1);

  // Signals wait in line from here on, in both processes.
  const sigset_t signals = watched_signals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  // The starting process reaps this one at once and has no child of ours later.
  if (const pid_t background = ::fork(); background != 0) ::_exit(background < 0 ? 70 : 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t keeper = ::getpid();
  const pid_t supervisor = ::fork();
  if (supervisor < 0) return 70;
  if (supervisor > 0) {
    report.reset();
    owner.reset();
    return keep(*request, supervisor, std::move(lock));
  }

  ::prctl(PR_SET_NAME, "handrail-desk");
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != keeper) return 70;
  Supervisor session(*request, keeper, std::move(report), std::move(owner));
  const int code = session.run(define_monitors);
  // Nobody is left to do it when the keeper was killed.
  if (::getppid() != keeper) remove_traces(*request, session.info(), lock);
  return code;
}

}  // namespace handrail::linux_

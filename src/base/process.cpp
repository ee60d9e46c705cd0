#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

namespace handrail {
namespace {

// Descriptors are lined up here before they get their final numbers, so that none overwrites another.
constexpr int kParking = 64;

Error system_error(std::string_view what, int number) {
  const Code code = number == ENOENT ? Code::not_found : Code::io_error;
  return make_error(code, fmt::format("{}: {}", what, std::strerror(number)));
}

// Everything the child needs, laid out before the fork: after it, only async-signal-safe calls are
// allowed, because another thread may have held the allocator's lock.
struct ChildPlan {
  std::string program;
  std::vector<char*> argv;
  std::vector<char*> environment;
  const char* cwd = nullptr;
  std::vector<std::pair<int, int>> descriptors;
  std::vector<int> parked;
  Leads leads = Leads::nothing;
  int death_signal = 0;
  pid_t parent = 0;
  int report = -1;
};

[[noreturn]] void fail_child(int report, int number) {
  const ssize_t ignored = ::write(report, &number, sizeof number);
  static_cast<void>(ignored);
  ::_exit(127);
}

void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal != SIGKILL && signal != SIGSTOP) ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(ChildPlan& plan) {
  if (plan.leads == Leads::session) ::setsid();
  if (plan.leads == Leads::group) ::setpgid(0, 0);
  if (plan.death_signal != 0) {
    ::prctl(PR_SET_PDEATHSIG, plan.death_signal);
    // The parent may have died before the request; then nobody would ever send the signal.
    if (::getppid() != plan.parent) ::_exit(127);
  }
  const int report = ::fcntl(plan.report, F_DUPFD_CLOEXEC, kParking);
  if (report < 0) ::_exit(127);
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i) {
    int from = plan.descriptors[i].first;
    if (from < 0) from = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    plan.parked[i] = ::fcntl(from, F_DUPFD_CLOEXEC, kParking);
    if (plan.parked[i] < 0) fail_child(report, errno);
  }
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i) {
    if (::dup2(plan.parked[i], plan.descriptors[i].second) < 0) fail_child(report, errno);
  }
  if (plan.cwd && ::chdir(plan.cwd) != 0) fail_child(report, errno);
  // Marked for closing on exec, not closed: the report must live until then.
  ::close_range(kParking, ~0U, CLOSE_RANGE_CLOEXEC);
  std::array<bool, kParking> kept{};
  for (const auto& [from, to] : plan.descriptors) kept[static_cast<std::size_t>(to)] = true;
  for (int fd = 0; fd < kParking; ++fd) {
    if (!kept[static_cast<std::size_t>(fd)]) ::close(fd);
  }
  reset_signals();
  ::execve(plan.program.c_str(), plan.argv.data(), plan.environment.data());
  fail_child(report, errno);
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

Status check_options(const SpawnOptions& options) {
  if (options.argv.empty() || options.argv[0].empty()) {
    return make_error(Code::argument_invalid, "There is no program to run.");
  }
  for (const auto& [from, to] : options.keep) {
    if (from < 0 || to < 3 || to >= kParking) {
      return make_error(Code::internal, "A descriptor for a child is outside 3 to 63.");
    }
  }
  return {};
}

}  // namespace

std::string to_text(const ExitStatus& status) {
  if (status.signal == 0) return fmt::format("status {}", status.code);
  return fmt::format("signal {} ({})", status.signal, ::strsignal(status.signal));
}

Result<Process> Process::spawn(const SpawnOptions& options) {
  TRY(check_options(options));
  const auto path = options.environment.find("PATH");
  ChildPlan plan;
  plan.program = TRY(find_program(options.program.empty() ? options.argv[0] : options.program,
                                  path == options.environment.end() ? "/usr/bin:/bin" : path->second));
  std::vector<std::string> argv = options.argv;
  std::vector<std::string> environment;
  for (const auto& [name, value] : options.environment) environment.push_back(name + "=" + value);
  plan.argv = pointers(argv);
  plan.environment = pointers(environment);
  if (!options.cwd.empty()) plan.cwd = options.cwd.c_str();
  plan.descriptors = {{options.stdin_fd, 0}, {options.stdout_fd, 1}, {options.stderr_fd, 2}};
  plan.descriptors.insert(plan.descriptors.end(), options.keep.begin(), options.keep.end());
  plan.parked.resize(plan.descriptors.size());
  plan.leads = options.leads;
  plan.death_signal = options.death_signal;
  plan.parent = ::getpid();
  Pipe report = TRY(make_pipe());
  plan.report = report.write.get();

  // A handler of ours must not run in the child before its signals are reset.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  const int fork_error = errno;
  if (pid == 0) run_child(plan);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return system_error("Cannot start a process", fork_error);
  // Done on both sides: a signal to the group must find it, whoever runs first.
  if (options.leads == Leads::group) ::setpgid(pid, pid);

  report.write.reset();
  Result<Fd> pidfd = open_pidfd(pid);
  if (!pidfd.ok()) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return pidfd.error();
  }
  Process process(pid, std::move(*pidfd), options.leads);
  int number = 0;
  ssize_t got = 0;
  do {
    got = ::read(report.read.get(), &number, sizeof number);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof number)) {
    return system_error(fmt::format("Cannot run {}", plan.program), number);
  }
  return process;
}

Process::Process(pid_t pid, Fd pidfd, Leads leads) : pid_(pid), pidfd_(std::move(pidfd)), leads_(leads) {}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      leads_(other.leads_),
      status_(std::move(other.status_)) {}

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    Process old(std::move(*this));
    pid_ = std::exchange(other.pid_, -1);
    pidfd_ = std::move(other.pidfd_);
    leads_ = other.leads_;
    status_ = std::move(other.status_);
  }
  return *this;
}

Process::~Process() {
  if (pid_ < 0 || poll().has_value()) return;
  static_cast<void>(send_signal(SIGKILL));
  static_cast<void>(wait(Deadline::in(kBackendPatience)));
}

Result<ExitStatus> Process::wait(Deadline deadline) {
  if (pid_ < 0) return make_error(Code::internal, "This process was given away.");
  if (!status_) {
    TRY(wait_readable(pidfd_.get(), deadline));
    poll();
  }
  if (!status_) return make_error(Code::internal, fmt::format("Another part reaped process {}.", pid_));
  return *status_;
}

std::optional<ExitStatus> Process::poll() {
  if (status_ || pid_ < 0) return status_;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return {};
  status_ = info.si_code == CLD_EXITED ? ExitStatus{info.si_status, 0} : ExitStatus{0, info.si_status};
  return status_;
}

Status Process::send_signal(int signal) {
  // Until it is reaped here, its number cannot belong to anybody else.
  if (pid_ < 0 || status_) return {};
  if (leads_ == Leads::nothing) return signal_pidfd(pidfd_.get(), signal);
  if (::kill(-pid_, signal) != 0 && errno != ESRCH) return system_error("Cannot signal a process", errno);
  return {};
}

Result<ExitStatus> Process::terminate(Millis grace) {
  TRY(send_signal(SIGTERM));
  Result<ExitStatus> ended = wait(Deadline::in(grace));
  if (ended.ok() || ended.error().code != Code::timeout) return ended;
  TRY(send_signal(SIGKILL));
  return wait(Deadline::in(kBackendPatience));
}

void Process::detach() {
  pid_ = -1;
  pidfd_.reset();
}

// glibc 2.36 declares its wrappers without C linkage, so the calls are made directly.
Result<Fd> open_pidfd(pid_t pid) {
  const long fd = ::syscall(SYS_pidfd_open, pid, 0);
  if (fd < 0) {
    return make_error(errno == ESRCH ? Code::not_found : Code::io_error,
                      fmt::format("Cannot watch process {}: {}", pid, std::strerror(errno)));
  }
  return Fd(static_cast<int>(fd));
}

Status signal_pidfd(int pidfd, int signal) {
  if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) != 0 && errno != ESRCH) {
    return system_error("Cannot signal a process", errno);
  }
  return {};
}

Result<bool> end_by_pidfd(int pidfd, Millis grace, Deadline deadline) {
  TRY(signal_pidfd(pidfd, SIGTERM));
  // One that was stopped hears nothing else.
  TRY(signal_pidfd(pidfd, SIGCONT));
  if (wait_readable(pidfd, deadline.within(grace)).ok()) return true;
  TRY(signal_pidfd(pidfd, SIGKILL));
  TRY(wait_readable(pidfd, deadline));
  return false;
}

Result<std::string> find_program(const std::string& name, const std::string& path) {
  const auto runnable = [](const std::string& file) {
    struct stat facts {};
    return ::stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    if (runnable(name)) return name;
    return make_error(Code::not_found, fmt::format("There is no program {}.", name));
  }
  for (std::size_t start = 0; start <= path.size() && !name.empty();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const std::string file = path.substr(start, end - start) + "/" + name;
    // An empty part means the current folder, which is never searched.
    if (end > start && runnable(file)) return file;
    start = end + 1;
  }
  return make_error(Code::not_found, fmt::format("There is no program {} on the path {}.", name, path));
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("Cannot make a pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

Status wait_readable(int fd, Deadline deadline) {
  for (;;) {
    pollfd ready{fd, POLLIN, 0};
    const int n = ::poll(&ready, 1, static_cast<int>(deadline.left().count()));
    if (n > 0) return {};
    if (n < 0 && errno != EINTR) return system_error("Cannot wait", errno);
    if (n == 0 && deadline.passed()) return make_error(Code::timeout, "What was awaited did not happen in time.");
  }
}

Environment current_environment() {
  Environment result;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

}  // namespace handrail

// One program in the sandbox, from its start until everything that it started is gone.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "base/json.h"
#include "base/one_line.h"
#include "base/process.h"
#include "platform/linux/programs.h"
#include "platform/linux/sandbox_filter.h"

namespace handrail::linux_ {
namespace {

// What the sandbox has to end in, once it is killed.
constexpr Millis kToEnd{2000};
constexpr rlim_t kMostProcesses = 1000;
constexpr rlim_t kMostFileBytes = 1u << 30;
constexpr rlim_t kMostMemory = rlim_t{4} << 30;  // of one process

Error failed(const char* what) {
  return make_error(Code::io_error, fmt::format("Cannot {}: {}.", what, std::strerror(errno)));
}

// Bytes as a file: a program that never reads its input holds nobody up.
Result<Fd> memory_file(std::string_view bytes) {
  Fd file(::memfd_create("handrail-input", MFD_CLOEXEC));
  if (!file.valid()) return failed("keep the input");
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(file.get(), bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno != EINTR) return failed("keep the input");
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return failed("keep the input");
  return file;
}

Result<Fd> filter_file() {
  const std::vector<sock_filter> filter = sandbox_filter();
  if (filter.empty()) {
    return make_error(Code::capability_unsupported, "The sandbox has no filter for this kind of processor.")
        .with_hint("Use another action.");
  }
  return memory_file({reinterpret_cast<const char*>(filter.data()), filter.size() * sizeof(sock_filter)});
}

// Takes what is there; false at the end of the stream.
bool drain(int fd, ProgramOutput& output) {
  std::array<char, 65536> part;
  const ssize_t n = ::read(fd, part.data(), part.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  const auto got = static_cast<std::size_t>(n);
  output.bytes += n;
  output.text.append(part.data(), std::min(got, kMostOutput - std::min(kMostOutput, output.text.size())));
  return true;
}

// The first process of the sandbox: with it, everything in there ends. 0 when there is none.
pid_t first_process(int report, Deadline deadline) {
  std::string text;
  while (text.find('}') == std::string::npos && wait_readable(report, deadline).ok()) {
    std::array<char, 512> part;
    const ssize_t n = ::read(report, part.data(), part.size());
    if (n <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  const auto told = parse_json(text);
  return told.ok() && told->contains("child-pid") ? (*told)["child-pid"].get<pid_t>() : 0;
}

// It waits for its start meanwhile, and all that it starts inherits them.
void limit(pid_t pid) {
  for (const auto& [what, most] : {std::pair{RLIMIT_NPROC, kMostProcesses},
                                   {RLIMIT_FSIZE, kMostFileBytes},
                                   {RLIMIT_DATA, kMostMemory},
                                   {RLIMIT_CORE, rlim_t{0}}}) {
    const rlimit limits{most, most};
    static_cast<void>(::prlimit(pid, what, &limits, nullptr));
  }
}

struct Streams {
  Pipe output, errors, report, start;
  Fd input;  // none: nothing to read
  Fd filter;
  Fd stopped;  // readable once the call is stopped
};

Result<Streams> make_streams(const std::string& input) {
  Streams streams;
  for (Pipe* pipe : {&streams.output, &streams.errors, &streams.report, &streams.start}) *pipe = TRY(make_pipe());
  if (!input.empty()) streams.input = TRY(memory_file(input));
  streams.filter = TRY(filter_file());
  streams.stopped = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!streams.stopped.valid()) return failed("watch a program");
  return streams;
}

// A handle on the first process inside, which runs from now on.
Fd start_inside(Streams& streams, Deadline deadline) {
  const pid_t pid = first_process(streams.report.read.get(), deadline);
  if (pid <= 0) return Fd();
  auto handle = open_pidfd(pid);
  limit(pid);
  const char go = 1;
  // Our own end for reading stays open: a sandbox that has ended already must not end us by a signal.
  static_cast<void>(!::write(streams.start.write.get(), &go, 1));
  return handle.ok() ? std::move(*handle) : Fd();
}

enum class Ended { by_itself, late, stopped };

// Until the program has ended and its streams are read, or its time is up.
Ended follow(Process& process, Streams& streams, ProgramEnd& end, Deadline deadline) {
  bool output = true, errors = true;
  for (;;) {
    std::array<pollfd, 4> waits{pollfd{output ? streams.output.read.get() : -1, POLLIN, 0},
                                pollfd{errors ? streams.errors.read.get() : -1, POLLIN, 0},
                                pollfd{process.pidfd(), POLLIN, 0}, pollfd{streams.stopped.get(), POLLIN, 0}};
    const int n = ::poll(waits.data(), waits.size(), static_cast<int>(deadline.left().count()));
    if (waits[3].revents != 0) return Ended::stopped;
    if (n == 0 && deadline.passed()) return Ended::late;
    if (n <= 0) continue;
    if (waits[0].revents != 0) output = drain(streams.output.read.get(), end.output);
    if (waits[1].revents != 0) errors = drain(streams.errors.read.get(), end.errors);
    const bool quiet = waits[0].revents == 0 && waits[1].revents == 0;
    if (waits[2].revents != 0 && quiet) return Ended::by_itself;
    if (deadline.passed()) return Ended::late;
  }
}

// What the sandbox itself says when it cannot be made.
Status sandbox_started(const ProgramEnd& end, const std::string& program, bool has_process) {
  const std::string& said = end.errors.text;
  if (end.exit_code != 1 || !said.starts_with("bwrap: ")) return {};
  if (said.starts_with("bwrap: execvp")) {
    return make_error(Code::not_found, fmt::format("The sandbox has no program {}.", quoted(program, 200)))
        .with_hint("Name a program of /usr/bin, or one in a granted folder by its path.");
  }
  if (has_process && !said.starts_with("bwrap: Can't") && !said.starts_with("bwrap: No permissions")) return {};
  return make_error(Code::capability_unsupported,
                    fmt::format("The sandbox cannot be made here: {}", one_line(said.substr(7, 200))))
      .with_hint("Allow user namespaces for bubblewrap, or use another action.");
}

}  // namespace

Result<ProgramEnd> LinuxPrograms::run(const RunProgram& program, Permit, std::stop_token stop) {
  const FileReach reach = settings_.reach();
  const std::string folder = TRY(folder_to_run_in(program.cwd, reach));
  if (program.argv.empty()) return make_error(Code::argument_invalid, "There is no program to run.");
  Streams streams = TRY(make_streams(program.input));
  SpawnOptions options;
  options.argv = sandbox_words(reach, folder, settings_.network);
  options.argv.insert(options.argv.end(), program.argv.begin(), program.argv.end());
  options.program = settings_.bwrap;
  options.environment = sandbox_environment(program, reach);
  options.stdin_fd = streams.input.valid() ? streams.input.get() : -1;
  options.stdout_fd = streams.output.write.get();
  options.stderr_fd = streams.errors.write.get();
  options.keep = {{streams.report.write.get(), kSandboxReportFd},
                  {streams.start.read.get(), kSandboxStartFd},
                  {streams.filter.get(), kSandboxFilterFd}};
  options.leads = Leads::session;
  options.death_signal = SIGKILL;
  const Deadline deadline = Deadline::in(program.patience);
  Process process = TRY(Process::spawn(options));
  streams.output.write.reset();
  streams.errors.write.reset();
  streams.report.write.reset();
  const std::stop_callback stopping(stop, [fd = streams.stopped.get()] {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(fd, &one, sizeof one));
  });
  const Fd inner = start_inside(streams, deadline);
  ProgramEnd end;
  const Ended how = follow(process, streams, end, deadline);
  if (how != Ended::by_itself) static_cast<void>(process.send_signal(SIGKILL));
  const ExitStatus status = TRY(process.wait(Deadline::in(kToEnd)));
  if (inner.valid() && !wait_readable(inner.get(), Deadline::in(kToEnd)).ok()) {
    static_cast<void>(signal_pidfd(inner.get(), SIGKILL));
    static_cast<void>(wait_readable(inner.get(), Deadline::in(kToEnd)));
  }
  if (how == Ended::stopped) {
    return make_error(Code::cancelled, "The program was ended with everything it started.")
        .with_side_effects(SideEffects::partial);
  }
  end.timed_out = how == Ended::late;
  // The sandbox tells a signal as 128 and its number.
  const bool by_signal = status.signal == 0 && status.code > 128 && status.code < 128 + 65;
  end.exit_code = by_signal ? 0 : status.code;
  end.signal = by_signal ? status.code - 128 : status.signal;
  TRY(sandbox_started(end, program.argv.front(), inner.valid()));
  return end;
}

}  // namespace handrail::linux_

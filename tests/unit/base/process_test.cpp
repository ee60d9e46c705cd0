#include "base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <string>
#include <thread>

namespace handrail {
namespace {

constexpr Millis kPatience{5000};

std::string read_all(int fd) {
  std::string text;
  char buffer[512];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  return text;
}

// What a program writes to its standard output.
std::string output_of(SpawnOptions options) {
  Pipe pipe = make_pipe().value();
  options.stdout_fd = pipe.write.get();
  Result<Process> process = Process::spawn(options);
  EXPECT_TRUE(process.ok()) << (process.ok() ? "" : to_text(process.error()));
  pipe.write.reset();
  std::string text = read_all(pipe.read.get());
  EXPECT_TRUE(process.value().wait(Deadline::in(kPatience)).ok());
  return text;
}

TEST(Process, PassesArgumentsUntouched) {
  EXPECT_EQ(output_of({.argv = {"printf", "%s|", "a b", "$(id)", "", "*"}, .environment = {{"PATH", "/usr/bin:/bin"}}}),
            "a b|$(id)||*|");
}

TEST(Process, GivesExactlyTheEnvironment) {
  EXPECT_EQ(output_of({.argv = {"/usr/bin/env"}, .environment = {{"B", "2 3"}, {"A", "1"}}}), "A=1\nB=2 3\n");
}

TEST(Process, RunsInTheFolder) {
  EXPECT_EQ(output_of({.argv = {"/bin/pwd"}, .environment = {}, .cwd = "/usr"}), "/usr\n");
}

TEST(Process, ClosesEveryDescriptorButThoseGiven) {
  Pipe leaked = make_pipe().value();
  // Without close-on-exec, low and high.
  const Fd low(::dup(leaked.read.get()));
  const Fd high(::fcntl(leaked.read.get(), F_DUPFD, 300));
  ASSERT_TRUE(low.valid() && high.valid());
  SpawnOptions options{.argv = {"/bin/ls", "/proc/self/fd"}, .environment = {}};
  // ls itself opens the folder as the lowest free number.
  EXPECT_EQ(output_of(options), "0\n1\n2\n3\n");
  options.keep = {{low.get(), 7}, {high.get(), 3}};
  EXPECT_EQ(output_of(options), "0\n1\n2\n3\n4\n7\n");
}

TEST(Process, SwapsDescriptorsWithoutLosingOne) {
  Pipe first = make_pipe().value();
  Pipe second = make_pipe().value();
  // Ours sit on each other's final numbers.
  const Fd three(::fcntl(first.write.get(), F_DUPFD_CLOEXEC, 40));
  const Fd four(::fcntl(second.write.get(), F_DUPFD_CLOEXEC, three.get() + 1));
  SpawnOptions options{
      .argv = {"/usr/bin/python3", "-c",
               "import os,sys; os.write(int(sys.argv[1]), b'first'); os.write(int(sys.argv[2]), b'second')",
               std::to_string(four.get()), std::to_string(three.get())},
      .environment = {}};
  options.keep = {{three.get(), four.get()}, {four.get(), three.get()}};
  Process process = std::move(Process::spawn(options)).value();
  ASSERT_TRUE(process.wait(Deadline::in(kPatience)).value().success());
  char text[16] = {};
  EXPECT_EQ(::read(first.read.get(), text, 5), 5);
  EXPECT_STREQ(text, "first");
  EXPECT_EQ(::read(second.read.get(), text, 6), 6);
  EXPECT_STREQ(text, "second");
}

TEST(Process, ReportsHowItEnded) {
  Process exits = std::move(Process::spawn({.argv = {"/bin/sh", "-c", "exit 3"}, .environment = {}})).value();
  EXPECT_EQ(exits.wait(Deadline::in(kPatience)).value(), (ExitStatus{3, 0}));
  Process dies = std::move(Process::spawn({.argv = {"/bin/sh", "-c", "kill -9 $$"}, .environment = {}})).value();
  const ExitStatus status = dies.wait(Deadline::in(kPatience)).value();
  EXPECT_EQ(status, (ExitStatus{0, SIGKILL}));
  EXPECT_EQ(to_text(status), "signal 9 (Killed)");
  EXPECT_EQ(to_text(ExitStatus{3, 0}), "status 3");
}

TEST(Process, SaysWhenTheProgramCannotRun) {
  EXPECT_EQ(Process::spawn({.argv = {"no-such-program"}, .environment = {}}).error().code, Code::not_found);
  EXPECT_EQ(Process::spawn({.argv = {"/etc/passwd"}, .environment = {}}).error().code, Code::not_found);
  EXPECT_EQ(Process::spawn({.argv = {}, .environment = {}}).error().code, Code::argument_invalid);
  EXPECT_EQ(Process::spawn({.argv = {"/bin/true"}, .environment = {}, .cwd = "/nowhere"}).error().code,
            Code::not_found);
}

TEST(Process, WaitObeysTheDeadline) {
  Process sleeper = std::move(Process::spawn({.argv = {"/bin/sleep", "60"}, .environment = {}})).value();
  const TimePoint start = Clock::now();
  EXPECT_EQ(sleeper.wait(Deadline::in(Millis(20))).error().code, Code::timeout);
  EXPECT_LT(millis_since(start), 2000);
  EXPECT_FALSE(sleeper.poll().has_value());
  EXPECT_EQ(sleeper.terminate(kPatience).value(), (ExitStatus{0, SIGTERM}));
  // Ended and reaped: signalling it again must not reach anybody.
  EXPECT_TRUE(sleeper.send_signal(SIGKILL).ok());
}

TEST(Process, TerminateKillsWhatIgnoresIt) {
  Pipe ready = make_pipe().value();
  Process stubborn =
      std::move(Process::spawn({.argv = {"/bin/sh", "-c", "trap '' TERM; echo up; while :; do sleep 60; done"},
                                .environment = {{"PATH", "/bin"}},
                                .stdout_fd = ready.write.get()}))
          .value();
  ASSERT_TRUE(wait_readable(ready.read.get(), Deadline::in(kPatience)).ok());
  EXPECT_EQ(stubborn.terminate(Millis(30)).value(), (ExitStatus{0, SIGKILL}));
}

TEST(Process, GroupDiesWithIt) {
  Pipe pipe = make_pipe().value();
  {
    Process shell = std::move(Process::spawn({.argv = {"/bin/sh", "-c", "sleep 60 & echo up; wait"},
                                              .environment = {{"PATH", "/bin"}},
                                              .stdout_fd = pipe.write.get()}))
                        .value();
    pipe.write.reset();
    ASSERT_TRUE(wait_readable(pipe.read.get(), Deadline::in(kPatience)).ok());
  }
  // End of file needs the grandchild gone too: it holds the same pipe.
  EXPECT_EQ(read_all(pipe.read.get()), "up\n");
}

TEST(Process, DeathSignalFollowsTheSpawningThread) {
  std::optional<Process> child;
  std::thread spawner([&] {
    child.emplace(
        std::move(Process::spawn({.argv = {"/bin/sleep", "60"}, .environment = {}, .death_signal = SIGTERM})).value());
  });
  spawner.join();
  EXPECT_EQ(child->wait(Deadline::in(kPatience)).value(), (ExitStatus{0, SIGTERM}));
}

TEST(Process, SignalStateIsClean) {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const std::string status =
      output_of({.argv = {"/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"}, .environment = {}});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(status, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(Process, FindsProgramsOnThePathOnly) {
  EXPECT_EQ(find_program("sh", "/nowhere:/bin").value(), "/bin/sh");
  EXPECT_EQ(find_program("sh", "").error().code, Code::not_found);
  EXPECT_EQ(find_program("", "/bin").error().code, Code::not_found);
  EXPECT_EQ(find_program("/bin/sh", "").value(), "/bin/sh");
  EXPECT_EQ(find_program("bin", "/").error().code, Code::not_found);
}

}  // namespace
}  // namespace handrail

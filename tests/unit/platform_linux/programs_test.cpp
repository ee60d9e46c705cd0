#include "platform/linux/programs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/process.h"
#include "platform/linux/process_table.h"
#include "support/test_permit.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

class ProgramsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "handrail-programs-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = fs::canonical(pattern).string();
    for (const char* name : {"/work", "/look", "/work2", "/work2/handrail"}) fs::create_directory(folder_ + name);
    std::ofstream(folder_ + "/secret") << "canary";
    std::ofstream(folder_ + "/work2/handrail/key") << "canary";
    reach_.roots = {{folder_ + "/work", true}, {folder_ + "/look", false}};
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Result<ProgramEnd> run(const std::string& command, Millis patience = Millis(20000), std::stop_token stop = {}) {
    RunProgram program;
    program.argv = {"/bin/sh", "-c", command};
    program.patience = patience;
    return programs_.run(program, engine::PermitMint::mint(), stop);
  }
  std::string output(const std::string& command) {
    const auto end = run(command);
    return end.ok() ? end->output.text + end->errors.text : end.error().message;
  }

  std::string folder_;
  FileReach reach_;
  LinuxPrograms programs_{{[this] { return reach_; }, Network::none, [] { return Environment{}; }}};
};

TEST_F(ProgramsTest, tells_how_a_program_ended) {
  const ProgramEnd end = run("echo out; echo err >&2; exit 3").value();
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.output.text, "out\n");
  EXPECT_EQ(end.errors.text, "err\n");
  EXPECT_EQ(run("kill -TERM $$").value().signal, SIGTERM);
  RunProgram none;
  none.argv = {"no-such-program"};
  EXPECT_EQ(programs_.run(none, engine::PermitMint::mint(), {}).error().code, Code::not_found);
  RunProgram sorts;
  sorts.argv = {"sort"};
  sorts.input = "b\na\n";
  EXPECT_EQ(programs_.run(sorts, engine::PermitMint::mint(), {}).value().output.text, "a\nb\n");
}

TEST_F(ProgramsTest, caps_what_it_keeps_and_reads_on) {
  const ProgramEnd end = run("head -c 300000 /dev/zero; echo done >&2").value();
  EXPECT_EQ(end.output.text.size(), kMostOutput);
  EXPECT_EQ(end.output.bytes, 300000);
  EXPECT_EQ(end.errors.text, "done\n");
}

TEST_F(ProgramsTest, sees_granted_folders_as_granted_and_nothing_else) {
  EXPECT_EQ(output("pwd"), folder_ + "/work\n");
  EXPECT_EQ(output("echo hi > new; cat new"), "hi\n");
  EXPECT_TRUE(fs::exists(folder_ + "/work/new"));
  EXPECT_NE(output("touch ../look/new").find("Read-only"), std::string::npos);
  EXPECT_EQ(output("cat ../secret").find("canary"), std::string::npos);
  EXPECT_NE(output("touch /usr/x").find("Read-only"), std::string::npos);
  EXPECT_EQ(output("ls /tmp/.X11-unix /run/user /run/dbus /home 2>/dev/null"), "");
  EXPECT_EQ(output("ls /proc | grep -c '^[0-9]*$'").size(), 2u) << "other processes are seen";
  EXPECT_EQ(output("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '"), "lo\n");
  EXPECT_EQ(output("cat /etc/shadow 2>/dev/null"), "");
  reach_.roots.push_back({"/proc", true});
  reach_.roots.push_back({"/", true});
  EXPECT_EQ(output("ls /proc | grep -c '^[0-9]*$'").size(), 2u) << "other processes are seen";
  EXPECT_EQ(output("cat ../secret").find("canary"), std::string::npos);
}

TEST_F(ProgramsTest, keeps_our_own_folders_shut) {
  reach_.roots = {{folder_ + "/work2", true}};
  reach_.hidden = {folder_ + "/work2/handrail"};
  EXPECT_EQ(output("cat handrail/key 2>/dev/null; ls handrail"), "");
  EXPECT_NE(output("mv handrail elsewhere; touch new"), "");
  EXPECT_TRUE(fs::exists(folder_ + "/work2/handrail/key"));
}

TEST_F(ProgramsTest, starts_with_a_clean_environment) {
  ::setenv("HANDRAIL_TEST_SECRET", "hunter2", 1);
  RunProgram program;
  program.argv = {"env"};
  program.environment = {{"GREETING", "hello"}, {"PATH", "/evil"}};
  const std::string told = programs_.run(program, engine::PermitMint::mint(), {}).value().output.text;
  ::unsetenv("HANDRAIL_TEST_SECRET");
  EXPECT_EQ(told.find("hunter2"), std::string::npos);
  EXPECT_NE(told.find("GREETING=hello\n"), std::string::npos);
  EXPECT_EQ(told.find("evil"), std::string::npos);
}

TEST_F(ProgramsTest, ends_all_of_it_at_the_deadline_when_stopped_and_at_its_own_end) {
  // A number of seconds that nothing else sleeps for.
  const std::string marker = "98765.4";
  const auto sleepers = [&] {
    int count = 0;
    for (const ProcessFacts& each : all_processes()) {
      const auto words = arguments_of(each.id.pid);
      count += each.state != 'Z' && words.size() == 2 && words[1] == marker;
    }
    return count;
  };
  const std::string many = "setsid sleep " + marker + " & (sleep " + marker + " &) ; ";
  const ProgramEnd late = run(many + "sleep " + marker, Millis(500)).value();
  EXPECT_TRUE(late.timed_out);
  EXPECT_EQ(sleepers(), 0);
  EXPECT_FALSE(run(many + "true").value().timed_out);
  EXPECT_EQ(sleepers(), 0);
  std::stop_source stop;
  std::jthread stopper([&] {
    while (sleepers() < 3) std::this_thread::yield();
    stop.request_stop();
  });
  EXPECT_EQ(run(many + "sleep " + marker, Millis(30000), stop.get_token()).error().code, Code::cancelled);
  EXPECT_EQ(sleepers(), 0);
}

TEST_F(ProgramsTest, limits_what_it_takes) {
  EXPECT_EQ(output("ulimit -c; ulimit -p"), "0\n1000\n");
  EXPECT_NE(output("head -c 300000000 /dev/zero > /tmp/big && echo all").find("No space"), std::string::npos);
}

TEST_F(ProgramsTest, runs_in_granted_folders_only) {
  fs::create_directory(folder_ + "/work/sub");
  fs::create_directory_symlink(folder_, folder_ + "/work/up");
  RunProgram program;
  program.argv = {"pwd"};
  program.cwd = "sub";
  EXPECT_EQ(programs_.run(program, engine::PermitMint::mint(), {}).value().output.text, folder_ + "/work/sub\n");
  for (const std::string& cwd : std::vector<std::string>{"..", "/etc", "up", folder_, "none"}) {
    program.cwd = cwd;
    EXPECT_FALSE(programs_.run(program, engine::PermitMint::mint(), {}).ok()) << cwd;
  }
}

TEST_F(ProgramsTest, says_what_is_missing) {
  std::string fix;
  EXPECT_EQ(programs_.missing(&fix), "");
  LinuxPrograms without{{[this] { return reach_; }, Network::none, [] { return Environment{}; }, "", "/no/bwrap"}};
  EXPECT_NE(without.missing(&fix), "");
  EXPECT_NE(fix.find("bubblewrap"), std::string::npos);
}

TEST_F(ProgramsTest, ends_exactly_the_process_that_was_meant) {
  SpawnOptions options;
  options.argv = {"/bin/sleep", "1000"};
  Process child = Process::spawn(options).value();
  const ProcessInfo info = programs_.process(child.pid()).value();
  EXPECT_EQ(info.name, "sleep");
  EndProcess wrong{info.pid, info.started + 1};
  EXPECT_EQ(programs_.end(wrong, engine::PermitMint::mint(), Deadline::in(kBackendPatience)).error().code,
            Code::target_stale);
  EXPECT_FALSE(child.poll()) << "a process that got the number of another was ended";
  EXPECT_TRUE(
      programs_.end({info.pid, info.started}, engine::PermitMint::mint(), Deadline::in(kBackendPatience)).value());
  EXPECT_EQ(child.wait(Deadline::in(kBackendPatience)).value().signal, SIGTERM);
}

}  // namespace
}  // namespace handrail::linux_

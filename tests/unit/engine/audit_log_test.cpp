#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "audit_fixture.h"
#include "base/json.h"
#include "engine/audit_head.h"
#include "engine/audit_record.h"

namespace handrail::engine {
namespace {

using AuditLogTest = AuditFixture;

unsigned mode_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777U : 0;
}

// Runs in another process; its exit code.
template <class Act>
int in_child(const Act& act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(AuditLogTest, RecordsAreNumberedChainedAndPrivate) {
  {
    const auto log = open();
    ASSERT_NE(log, nullptr);
    EXPECT_EQ(log->append("call", {{"action", "wait"}}).value(), 2U);  // 1 is the checkpoint of the start
    EXPECT_EQ(log->append("call", {{"action", "type"}}).value(), 3U);
    EXPECT_TRUE(log->ready().ok());
  }
  EXPECT_EQ(mode_of(folder()), 0700U);
  EXPECT_EQ(mode_of(last_path()), 0600U);
  EXPECT_EQ(mode_of(key_file()), 0600U);
  const auto all = lines(read(last_path()));
  ASSERT_EQ(all.size(), 4U);
  std::string previous(kNoHash);
  std::vector<std::string> kinds;
  for (const std::string& line : all) {
    const auto json = parse_json(line);
    ASSERT_TRUE(json.ok()) << line;
    EXPECT_EQ((*json)["prev"], previous);
    previous = (*json)["hash"];
    kinds.push_back((*json)["kind"]);
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"checkpoint", "call", "call", "checkpoint"}));
  EXPECT_EQ(findings(), "");
  EXPECT_EQ(verify().checkpoints, 2U);
}

TEST_F(AuditLogTest, TheNextProgramGoesOnWithTheChain) {
  write(5);
  write(25);
  EXPECT_EQ(findings(), "");
  // 30 calls, and checkpoints at the start, at the two ends, and after each ten records between.
  const AuditReport report = verify();
  EXPECT_EQ(report.records - report.checkpoints, 30U);
  EXPECT_GE(report.checkpoints, 5U);
}

TEST_F(AuditLogTest, HostileTextStaysInOneLineOfAscii) {
  const std::string hostile = "a\nb\r\x1b[2J\"\\\x7f\xe2\x80\xa8\xff\xc0\x80 \xe2\x82\xac";
  {
    const auto log = open();
    ASSERT_TRUE(log->append("call", {{"title", hostile}, {hostile, 1}, {"hash", "mine"}, {"seq", 7}}).ok());
    ASSERT_TRUE(log->append("a\"b\n", Json::array({1, 2})).ok());
    ASSERT_TRUE(log->append("call", {{"huge", std::string(kMaxRecordBytes + 1, 'x')}}).ok());
  }
  const std::string text = read(last_path());
  EXPECT_EQ(lines(text).size(), 5U);
  EXPECT_LT(text.size(), 10000U);
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << static_cast<int>(c);
  const auto json = parse_json(lines(text)[1]);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ((*json)["hash_"], "mine");
  EXPECT_EQ((*json)["seq_"], 7);
  EXPECT_EQ((*json)["title"].get<std::string>().substr(0, 13), "a\nb\r\x1b[2J\"\\\x7f\xe2\x80");
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditLogTest, ADayHasItsFileAndAClockSetBackChangesNothing) {
  using namespace std::chrono;
  auto time = sys_days(year(2031) / 5 / 9) + hours(23) + minutes(59);
  auto moment = time_point_cast<system_clock::duration>(time);
  auto with_clock = settings();
  with_clock.now = [&moment] { return moment; };
  {
    auto log = AuditLog::open(with_clock);
    ASSERT_TRUE(log.ok());
    ASSERT_TRUE((*log)->append("call", {}).ok());
    moment += minutes(2);
    ASSERT_TRUE((*log)->append("call", {}).ok());
    moment -= hours(24 * 3650);
    ASSERT_TRUE((*log)->append("call", {}).ok());
    moment += hours(24 * 3653);
    ASSERT_TRUE((*log)->append("call", {}).ok());
  }
  EXPECT_EQ(files(),
            (std::vector<std::string>{"audit-2031-05-09.jsonl", "audit-2031-05-10.jsonl", "audit-2031-05-13.jsonl"}));
  EXPECT_EQ(findings(), "");
  EXPECT_EQ(verify().files, 3U);
  std::filesystem::remove(folder() + "/audit-2031-05-10.jsonl");
  EXPECT_EQ(findings(), "audit-2031-05-13.jsonl, line 1: records 3 to 4 are missing before this one.\n");
}

TEST_F(AuditLogTest, SixteenWritersMakeOneChain) {
  constexpr int kWriters = 16;
  const int each = full_test() ? 1000 : 20;
  std::vector<pid_t> children;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto log = AuditLog::open(settings(50));
      bool good = log.ok();
      for (int n = 0; good && n < each; ++n) {
        // Sixteen of them on a slow machine may need more than one wait; a record is never written twice.
        Result<std::uint64_t> written = (*log)->append("call", {{"writer", i}, {"number", n}});
        for (int again = 0; !written.ok() && written.error().code == Code::busy && again < 10; ++again) {
          written = (*log)->append("call", {{"writer", i}, {"number", n}});
        }
        good = written.ok();
      }
      if (log.ok()) log->reset();
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(findings(), "");
  const AuditReport report = verify();
  EXPECT_EQ(report.records - report.checkpoints, static_cast<std::uint64_t>(kWriters * each));
}

TEST_F(AuditLogTest, ThreadsMakeOneChainToo) {
  {
    const auto log = open();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&log] {
        for (int n = 0; n < 25; ++n) EXPECT_TRUE(log->append("call", {{"n", n}}).ok());
      });
    }
  }
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditLogTest, ADiskThatIsFullIsToldAndNothingHalfStays) {
  write(3);
  const std::string before = read(last_path());
  const int code = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    auto log = AuditLog::open(settings(1000));
    if (!log.ok()) return 1;
    struct stat facts {};
    ::stat(last_path().c_str(), &facts);
    // Room for one record and a piece of the next.
    const rlim_t size = static_cast<rlim_t>(facts.st_size);
    const rlimit limit{size + 400, size + 400};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int written = 0;
    for (int i = 0; i < 5; ++i) {
      const auto result = (*log)->append("call", {{"filling", "some text"}});
      if (result.ok())
        ++written;
      else if (result.error().code != Code::io_error || result.error().message.find("audit-") == std::string::npos)
        return 2;
    }
    struct stat after {};
    ::stat(last_path().c_str(), &after);
    return written >= 1 && written < 5 && read(last_path()).ends_with("\"}\n") ? 0 : 3;
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(read(last_path()).starts_with(before));
  EXPECT_EQ(findings(), "");
  write(2);
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditLogTest, TheProgramStartsWithAFullDiskButWritesNothing) {
  const int code = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    if (!AuditLog::open(settings()).ok()) return 3;
    std::filesystem::remove_all(folder());
    const rlimit limit{600, 600};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto log = AuditLog::open(settings());
    if (!log.ok()) return 1;
    const auto written = (*log)->append("call", {{"filling", std::string(700, 'x')}});
    return !written.ok() && written.error().code == Code::io_error ? 0 : 2;
  });
  EXPECT_EQ(code, 0);
}

// Writes that ended at every byte of a record, as after a crash.
TEST_F(AuditLogTest, ATornEndIsTakenBackAndTold) {
  write(3);
  const std::string before = read(last_path());
  const std::string name = files().back();
  const std::string head_before = read(audit_head_file(folder()));
  const std::string key = audit_head_key(read(key_file()));
  const auto head = audit_head(head_before, key);
  ASSERT_TRUE(head.has_value());
  const AuditLine line =
      audit_line(head->count + 1, std::chrono::system_clock::now(), "call", {{"action", "x"}}, head->hash);
  AuditHead started = *head;
  started.pending = line.text.size();
  started.pending_hash = line.hash;
  started.pending_file = name;
  const std::size_t step = full_test() ? 1 : 29;
  for (std::size_t cut = 0; cut <= line.text.size();
       cut = cut == line.text.size() ? cut + 1 : std::min(cut + step, line.text.size())) {
    overwrite(folder() + "/" + name, before + line.text.substr(0, cut));
    overwrite(audit_head_file(folder()), to_bytes(started, key));
    EXPECT_EQ(findings(), "") << cut;
    {
      const auto log = open(1000);
      ASSERT_NE(log, nullptr);
      ASSERT_TRUE(log->append("call", {{"action", "after"}}).ok());
    }
    EXPECT_EQ(findings(), "") << cut;
    EXPECT_EQ(verify().repairs, cut > 0 && cut < line.text.size() ? 1U : 0U) << cut;
    // Back to the start for the next cut; the anchor has seen more by now.
    std::filesystem::remove(audit_anchor_file(key_file()));
  }
}

TEST_F(AuditLogTest, KilledAtAnyMomentTheChainHolds) {
  const int rounds = full_test() ? 200 : 8;
  for (int round = 0; round < rounds; ++round) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto log = AuditLog::open(settings());
      if (!log.ok() || ::write(ready[1], "x", 1) != 1) ::_exit(1);
      for (int n = 0;; ++n) (void)(*log)->append("call", {{"n", n}});
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(500 + 337 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    ASSERT_EQ(findings(), "") << round;
  }
  write(1);
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditLogTest, AFileTakenAwayUnderneathIsNoticedAndTheChainGoesOn) {
  const auto log = open();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(log->append("call", {}).ok());
  std::filesystem::rename(last_path(), folder() + "/audit.old");
  ASSERT_TRUE(log->append("call", {}).ok());
  const std::string told = findings();
  EXPECT_NE(told.find("line 1: records 1 to 4 are missing before this one."), std::string::npos) << told;
  EXPECT_NE(told.find("The file was taken away."), std::string::npos) << told;
  std::filesystem::remove_all(folder());
  ASSERT_TRUE(log->append("call", {}).ok());
  EXPECT_TRUE(log->ready().ok());
  EXPECT_FALSE(verify().whole());
}

TEST_F(AuditLogTest, AnotherProcessesRecordsAreFollowed) {
  const auto one = open(), other = open();
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(one->append("call", {{"one", i}}).ok());
    ASSERT_TRUE(other->append("call", {{"other", i}}).ok());
  }
  EXPECT_EQ(findings(), "");
}

TEST_F(AuditLogTest, TheNewestStateIsKnownAlsoWithoutAHead) {
  {
    const auto log = open();
    EXPECT_EQ(log->newest_state().value(), 0U);
    ASSERT_TRUE(log->append(kStateKind, {{"counter", 7}}).ok());
    ASSERT_TRUE(log->append(kStateKind, {{"counter", 6}}).ok());
    EXPECT_EQ(log->newest_state().value(), 7U);
  }
  EXPECT_EQ(open()->newest_state().value(), 7U);
  EXPECT_EQ(newest_state_in(folder(), key_file()).value(), 7U);
  std::filesystem::remove(audit_head_file(folder()));
  std::filesystem::remove(audit_anchor_file(key_file()));
  EXPECT_EQ(open()->newest_state().value(), 7U);
  EXPECT_NE(findings().find("missing or damaged"), std::string::npos);
}

TEST_F(AuditLogTest, LinksAndOpenFoldersAreRefused) {
  std::filesystem::create_directory(base_ + "/elsewhere");
  std::filesystem::create_directory_symlink(base_ + "/elsewhere", folder());
  EXPECT_FALSE(AuditLog::open(settings()).ok());
  std::filesystem::remove(folder());
  std::filesystem::create_directory(folder());
  ::chmod(folder().c_str(), 0755);
  EXPECT_EQ(AuditLog::open(settings()).error().code, Code::permission_missing);
  ::chmod(folder().c_str(), 0700);
  overwrite(key_file(), std::string(32, 'k'));
  ::chmod(key_file().c_str(), 0644);
  EXPECT_EQ(AuditLog::open(settings()).error().code, Code::permission_missing);
  EXPECT_TRUE(std::filesystem::is_empty(base_ + "/elsewhere"));
}

}  // namespace
}  // namespace handrail::engine

#include "platform/linux/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "base/process.h"

namespace handrail::linux_ {
namespace {

constexpr Millis kPatience{20000};

bool full_test() {
  const char* full = std::getenv("HANDRAIL_FULL");
  return full != nullptr && std::string_view(full) == "1";
}

class LockFileTest : public ::testing::Test {
 protected:
  LockFileTest() {
    std::string form = (std::filesystem::temp_directory_path() / "handrail-lock-XXXXXX").string();
    if (::mkdtemp(form.data()) != nullptr) base_ = form;
  }
  ~LockFileTest() override { std::filesystem::remove_all(base_); }
  std::string path() const { return lock_file_path(base_, ":7.0"); }
  static Deadline soon() { return Deadline::in(kPatience); }
  void put(const std::string& content) const {
    std::ofstream(path(), std::ios::binary | std::ios::trunc) << content;
    ::chmod(path().c_str(), 0600);
  }
  std::string content() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string base_;
};

// Another process that acts at each byte it is sent, and answers with one.
class Other {
 public:
  template <class Act>
  explicit Other(const Act& act) {
    int to[2], from[2];
    if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(to[1]);
      ::close(from[0]);
      char order = 0;
      while (::read(to[0], &order, 1) == 1) {
        const char answer = act(order);
        if (::write(from[1], &answer, 1) != 1) break;
      }
      ::_exit(0);
    }
    ::close(to[0]);
    ::close(from[1]);
    to_ = Fd(to[1]);
    from_ = Fd(from[0]);
  }
  ~Other() { end(); }
  void tell(char order) const { EXPECT_EQ(::write(to_.get(), &order, 1), 1); }
  char answer() const {
    char byte = '?';
    EXPECT_TRUE(wait_readable(from_.get(), Deadline::in(kPatience)).ok());
    EXPECT_EQ(::read(from_.get(), &byte, 1), 1);
    return byte;
  }
  char ask(char order) const {
    tell(order);
    return answer();
  }
  pid_t pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  Fd to_;
  Fd from_;
};

// 't' takes, 'c' checks, 'r' releases: 'y', or 'b' for busy, 'e' for any other error.
auto holder_of(const std::string& path, const char* session) {
  return [lock = std::make_shared<LockFile>(path), session](char order) {
    if (order == 'r') lock->release();
    const Status status = order == 't'   ? lock->take(session, Deadline::in(kPatience))
                          : order == 'c' ? lock->check()
                                         : Status();
    return status.ok() ? 'y' : status.error().code == Code::busy ? 'b' : 'e';
  };
}

void wait_until_stopped(pid_t pid) {
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
  ASSERT_TRUE(WIFSTOPPED(status));
}

TEST_F(LockFileTest, OneHoldsItAndTheOtherIsToldWho) {
  LockFile mine(path()), yours(path());
  ASSERT_TRUE(mine.take("session-a", soon()).ok());
  ASSERT_TRUE(mine.take("session-a", soon()).ok());
  EXPECT_TRUE(mine.check().ok());
  const Status refused = yours.take("session-b", soon());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::busy);
  EXPECT_NE(refused.error().message.find("session-a"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find(std::to_string(::getpid())), std::string::npos);
  EXPECT_EQ(yours.check().error().code, Code::busy);
  const std::uint64_t token = mine.token();
  mine.release();
  EXPECT_EQ(mine.check().error().code, Code::busy);
  ASSERT_TRUE(yours.take("session-b", soon()).ok());
  EXPECT_EQ(yours.token(), token + 1);
  struct stat facts {};
  ASSERT_EQ(::stat(path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777U, 0600U);
}

TEST_F(LockFileTest, ScreensOfADisplayShareItAndNamesStayInTheFolder) {
  EXPECT_EQ(lock_file_path("/r", ":0"), "/r/lock-0");
  EXPECT_EQ(lock_file_path("/r", ":0.1"), "/r/lock-0");
  EXPECT_EQ(lock_file_path("/r", "../../x:1"), "/r/lock-______x_1");
}

TEST_F(LockFileTest, ALinkIsRefusedAndItsTargetUntouched) {
  std::ofstream(base_ + "/precious") << "keep me";
  std::filesystem::create_symlink(base_ + "/precious", path());
  LockFile lock(path());
  const Status refused = lock.take("s", soon());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::io_error);
  std::ifstream file(base_ + "/precious");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "keep me");
}

TEST_F(LockFileTest, WhatStandsInAFreeFileDoesNotMatter) {
  const auto facts = process_facts(::getppid());
  ASSERT_TRUE(facts.has_value());
  const std::string alive = fmt::format(R"({{"sessionId":"x","pid":{},"started":1,"token":41}})", ::getppid());
  for (const std::string& text :
       {std::string(), std::string("\0\xff\x01", 3), std::string(1 << 20, 'x'), std::string(R"({"pid":-1})"),
        std::string(R"({"pid":0,"token":-5})"), std::string(R"({"pid":1,"sessionId":7})"),
        std::string(R"({"pid":2147483648,"token":18446744073709551615})"), std::string("[1]"), alive}) {
    put(text);
    LockFile lock(path());
    ASSERT_TRUE(lock.take("s", soon()).ok()) << text.substr(0, 60);
    EXPECT_EQ(lock_holder(content()).process.pid, ::getpid());
  }
  put(alive);
  LockFile lock(path());
  ASSERT_TRUE(lock.take("s", soon()).ok());
  EXPECT_EQ(lock.token(), 42U);
}

// One gigabyte without a byte on disk.
TEST_F(LockFileTest, AHugeFileIsNotReadWhole) {
  put("");
  ASSERT_EQ(::truncate(path().c_str(), 1LL << 30), 0);
  LockFile lock(path());
  ASSERT_TRUE(lock.take("s", soon()).ok());
  EXPECT_LT(content().size(), 1000U);
}

TEST_F(LockFileTest, GarbageDoesNotStealFromALiveHolder) {
  Other holder(holder_of(path(), "real"));
  ASSERT_EQ(holder.ask('t'), 'y');
  // A stopped process that holds nothing, named as the holder.
  Other decoy([](char) { return 'y'; });
  ::kill(decoy.pid(), SIGSTOP);
  wait_until_stopped(decoy.pid());
  LockHolder forged = lock_holder(content());
  forged.process = process_facts(decoy.pid())->id;
  for (const std::string& text : {std::string(), std::string("\xff\xfe"), to_line(to_json(forged))}) {
    put(text);
    LockFile lock(path(), Millis(50));
    const Status refused = lock.take("thief", Deadline::in(Millis(500)));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::busy);
    EXPECT_EQ(holder.ask('c'), 'y');
  }
}

TEST_F(LockFileTest, ADeadHolderLeavesItFree) {
  Other holder(holder_of(path(), "dies"));
  ASSERT_EQ(holder.ask('t'), 'y');
  LockFile lock(path());
  EXPECT_EQ(lock.take("s", soon()).error().code, Code::busy);
  holder.end();
  EXPECT_TRUE(lock.take("s", soon()).ok());
}

TEST_F(LockFileTest, AFileTakenAwayOrReplacedLeavesOneHolder) {
  LockFile first(path()), second(path());
  ASSERT_TRUE(first.take("first", soon()).ok());
  std::filesystem::remove(path());
  EXPECT_EQ(first.check().error().code, Code::busy);
  ASSERT_TRUE(second.take("second", soon()).ok());
  EXPECT_TRUE(second.check().ok());
  EXPECT_EQ(first.check().error().code, Code::busy);
  EXPECT_EQ(first.take("first", soon()).error().code, Code::busy);
  std::ofstream(base_ + "/new") << "{}";
  ::chmod((base_ + "/new").c_str(), 0600);
  std::filesystem::rename(base_ + "/new", path());
  EXPECT_EQ(second.check().error().code, Code::busy);
  EXPECT_TRUE(first.take("first", soon()).ok());
  EXPECT_EQ(second.check().error().code, Code::busy);
}

TEST_F(LockFileTest, AStoppedHolderIsTakenOverAndFindsOut) {
  const int rounds = full_test() ? 200 : 5;
  for (int round = 0; round < rounds; ++round) {
    Other holder(holder_of(path(), "stopped"));
    ASSERT_EQ(holder.ask('t'), 'y');
    ::kill(holder.pid(), SIGSTOP);
    wait_until_stopped(holder.pid());
    const std::uint64_t before = lock_holder(content()).token;
    LockFile lock(path(), Millis(20));
    const Status taken = lock.take("next", soon());
    ASSERT_TRUE(taken.ok()) << to_text(taken.error());
    EXPECT_EQ(lock.token(), before + 1);
    holder.tell('c');
    ::kill(holder.pid(), SIGCONT);
    EXPECT_EQ(holder.answer(), 'b');
    EXPECT_TRUE(lock.check().ok());
    // It may have it back only when it is free.
    EXPECT_EQ(holder.ask('t'), 'b');
    lock.release();
    EXPECT_EQ(holder.ask('t'), 'y');
  }
}

TEST_F(LockFileTest, AStopThatEndsInTimeLosesNothing) {
  Other holder(holder_of(path(), "short stop"));
  ASSERT_EQ(holder.ask('t'), 'y');
  ::kill(holder.pid(), SIGSTOP);
  wait_until_stopped(holder.pid());
  LockFile lock(path(), Millis(60000));
  std::jthread waker([&holder] { ::kill(holder.pid(), SIGCONT); });
  EXPECT_EQ(lock.take("next", soon()).error().code, Code::busy);
  EXPECT_EQ(holder.ask('c'), 'y');
}

TEST_F(LockFileTest, OfManyWhoTakeOverAStoppedHolderOneHoldsIt) {
  Other holder(holder_of(path(), "stopped"));
  ASSERT_EQ(holder.ask('t'), 'y');
  ::kill(holder.pid(), SIGSTOP);
  wait_until_stopped(holder.pid());
  std::vector<std::unique_ptr<LockFile>> locks;
  for (int i = 0; i < 8; ++i) locks.push_back(std::make_unique<LockFile>(path(), Millis(50)));
  {
    std::vector<std::jthread> threads;
    for (const auto& lock : locks) threads.emplace_back([&lock] { (void)lock->take("next", soon()); });
  }
  EXPECT_EQ(std::ranges::count_if(locks, [](const auto& lock) { return lock->check().ok(); }), 1);
}

// A child that was started by a holder which then died does not keep the lock.
TEST_F(LockFileTest, ChildrenDoNotInheritIt) {
  pid_t sleeper = -1;
  {
    int report[2];
    ASSERT_EQ(::pipe2(report, O_CLOEXEC), 0);
    const pid_t holder = ::fork();
    if (holder == 0) {
      LockFile lock(path());
      if (!lock.take("parent", soon()).ok()) ::_exit(1);
      const pid_t child = ::fork();
      if (child == 0) {
        ::execl("/bin/sleep", "sleep", "60", nullptr);
        ::_exit(1);
      }
      // Once it runs the other program, its descriptors are the inherited ones.
      const std::string own = executable_of(::getpid());
      while (executable_of(child) == own) std::this_thread::yield();
      if (::write(report[1], &child, sizeof child) != static_cast<ssize_t>(sizeof child)) ::_exit(1);
      ::kill(::getpid(), SIGKILL);
    }
    ASSERT_EQ(::waitpid(holder, nullptr, 0), holder);
    ASSERT_EQ(::read(report[0], &sleeper, sizeof sleeper), static_cast<ssize_t>(sizeof sleeper));
    ::close(report[0]);
    ::close(report[1]);
  }
  EXPECT_EQ(::kill(sleeper, 0), 0);
  LockFile lock(path());
  EXPECT_TRUE(lock.take("next", soon()).ok());
  ::kill(sleeper, SIGKILL);
}

TEST_F(LockFileTest, SixteenContendersNeverHoldItTogether) {
  struct Shared {
    std::atomic<int> inside{0};
    std::atomic<int> together{0};
    std::atomic<int> rounds{0};
  };
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* shared = new (memory) Shared;
  const int wanted = full_test() ? 10000 : 100;
  std::vector<pid_t> children;
  for (int i = 0; i < 16; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const Deadline end = Deadline::in(Millis(120000));
      while (shared->rounds < wanted && !end.passed()) {
        LockFile lock(path());
        if (!lock.take(fmt::format("contender-{}", i), soon()).ok()) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          continue;
        }
        if (shared->inside.fetch_add(1) != 0) shared->together.fetch_add(1);
        if (!lock.check().ok()) shared->together.fetch_add(1);
        std::this_thread::yield();
        shared->inside.fetch_sub(1);
        shared->rounds.fetch_add(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  EXPECT_EQ(shared->together.load(), 0);
  EXPECT_GE(shared->rounds.load(), wanted);
  ::munmap(memory, sizeof(Shared));
}

}  // namespace
}  // namespace handrail::linux_

// Which processes are taken for apps that have just started. The oracle is what was started.
#include "platform/atspi/newcomers.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>

#include "support/exec_block.h"

namespace handrail::atspi {
namespace {

// A process that runs a program which waits for its input, gone with this object.
class Waiting {
 public:
  explicit Waiting(const char* preload) {
    std::array<int, 2> input{}, output{};
    if (::pipe(input.data()) != 0 || ::pipe(output.data()) != 0) return;
    std::map<std::string, std::string> changes;
    if (preload != nullptr) changes["LD_PRELOAD"] = preload;
    const testing::ExecBlock program({"cat"}, changes);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(input[0], 0);
      ::dup2(output[1], 1);
      for (const int end : {input[0], input[1], output[0], output[1]}) ::close(end);
      program.run();
    }
    ::close(input[0]);
    ::close(output[1]);
    // It has its libraries when it answers.
    char echo = 0;
    ready_ = ::write(input[1], "x", 1) == 1 && ::read(output[0], &echo, 1) == 1;
    input_ = input[1];
    output_ = output[0];
  }
  ~Waiting() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(input_);
    ::close(output_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  pid_t pid() const { return pid_; }
  bool ready() const { return ready_; }

 private:
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
  bool ready_ = false;
};

TEST(Newcomers, AreProcessesWithAToolkitThatMakesTrees) {
  Newcomers newcomers;
  const Waiting plain(nullptr);
  ASSERT_TRUE(plain.ready());
  EXPECT_FALSE(newcomers.is_new(plain.pid()));
  for (const char* toolkit : {"libgtk-3.so.0", "libgtk-4.so.1", "libQt5Gui.so.5", "libQt6Gui.so.6"}) {
    const Waiting app(toolkit);
    ASSERT_TRUE(app.ready()) << toolkit;
    EXPECT_TRUE(newcomers.is_new(app.pid())) << toolkit;
  }
}

TEST(Newcomers, AreNoProcessesWithoutOne) {
  Newcomers newcomers;
  EXPECT_FALSE(newcomers.is_new(0));
  EXPECT_FALSE(newcomers.is_new(-1));
  EXPECT_FALSE(newcomers.is_new(::getpid()));
}

}  // namespace
}  // namespace handrail::atspi

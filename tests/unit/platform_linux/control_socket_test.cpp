#include "platform/linux/control_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "base/fd.h"
#include "base/process.h"
#include "platform/linux/control_message.h"

namespace handrail::linux_ {
namespace {

constexpr Millis kPatience{20000};

class ControlSocketTest : public ::testing::Test {
 protected:
  ControlSocketTest() {
    std::string form = (std::filesystem::temp_directory_path() / "handrail-ctl-XXXXXX").string();
    if (::mkdtemp(form.data()) != nullptr) base_ = form;
  }
  ~ControlSocketTest() override { std::filesystem::remove_all(base_); }

  std::vector<ControlAnswer> tell(ControlCommand command, const std::string& reason = "", Millis patience = kPatience) {
    const auto answers = tell_servers(base_, command, reason, Deadline::in(patience));
    EXPECT_TRUE(answers.ok());
    return answers.ok() ? *answers : std::vector<ControlAnswer>();
  }
  std::unique_ptr<ControlSocket> listen(ControlSocket::Handlers handlers) {
    auto socket = ControlSocket::listen(base_, std::move(handlers));
    EXPECT_TRUE(socket.ok()) << (socket.ok() ? "" : to_text(socket.error()));
    return socket.ok() ? std::move(socket).value() : nullptr;
  }

  std::string base_;
};

// A server of another process; it ends with the object.
class Server {
 public:
  explicit Server(const std::string& folder) {
    int ready[2];
    if (::pipe2(ready, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      auto state = std::make_shared<std::atomic<bool>>(false);
      const auto socket =
          ControlSocket::listen(folder, {[state](const std::string&) { *state = true; }, [state] { *state = false; },
                                         [state] {
                                           return Json{{"stopped", state->load()}};
                                         },
                                         [](const std::string&) { return Result<Json>(Json()); }});
      const char byte = socket.ok() ? 'y' : 'n';
      if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    const Fd read_end(ready[0]);
    char byte = 0;
    EXPECT_TRUE(wait_readable(read_end.get(), Deadline::in(kPatience)).ok());
    EXPECT_EQ(::read(read_end.get(), &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
  }
  ~Server() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  void stop_running() {
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);
  }
  void go_on() { ::kill(pid_, SIGCONT); }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

TEST_F(ControlSocketTest, EveryCommandReachesItsHandlerAndIsAnswered) {
  std::string heard, revoked;
  std::atomic<int> resumed{0}, reloaded{0};
  const auto socket = listen({[&heard](const std::string& reason) { heard = reason; }, [&resumed] { ++resumed; },
                              [] {
                                return Json{{"session", "s-1"}};
                              },
                              [&](const std::string& app) -> Result<Json> {
                                ++reloaded;
                                revoked = app;
                                return make_error(Code::io_error, "No disk.");
                              }});
  ASSERT_NE(socket, nullptr);
  struct stat facts {};
  ASSERT_EQ(::stat(socket->path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 07777U, 0600U);
  const auto stopped = tell(ControlCommand::stop, "tea time");
  ASSERT_EQ(stopped.size(), 1U);
  EXPECT_TRUE(stopped[0].ok());
  EXPECT_EQ(stopped[0].pid, ::getpid());
  EXPECT_EQ(heard, "tea time");
  EXPECT_TRUE(tell(ControlCommand::resume)[0].ok());
  EXPECT_EQ(resumed, 1);
  const auto status = tell(ControlCommand::status);
  EXPECT_EQ(status[0].reply, (Json{{"ok", true}, {"status", {{"session", "s-1"}}}}));
  const auto reload = tell(ControlCommand::reload_grants, "gimp");
  EXPECT_EQ(reloaded, 1);
  EXPECT_EQ(revoked, "gimp");
  EXPECT_TRUE(reload[0].answered);
  EXPECT_EQ(reload[0].error, "No disk.");
}

TEST_F(ControlSocketTest, AllServersAreToldAndOneThatHangsIsNamed) {
  Server one(base_), two(base_), three(base_);
  two.stop_running();
  const auto answers = tell(ControlCommand::stop, "now", Millis(3000));
  ASSERT_EQ(answers.size(), 3U);
  for (const ControlAnswer& answer : answers) {
    EXPECT_EQ(answer.ok(), answer.pid != two.pid()) << answer.pid;
  }
  // What it was told waits for it: it is off as soon as it runs again.
  two.go_on();
  for (const Deadline end = Deadline::in(kPatience); !end.passed();) {
    const auto status = tell(ControlCommand::status);
    ASSERT_EQ(status.size(), 3U);
    if (std::ranges::all_of(status, [](const auto& each) { return each.reply["status"]["stopped"] == true; })) return;
  }
  FAIL() << "the server that was stopped did not switch itself off";
}

TEST_F(ControlSocketTest, StopIsHeardWhileStatusHangs) {
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  std::atomic<bool> stopped{false};
  const auto socket = listen({[&stopped](const std::string&) { stopped = true; }, [] {},
                              [released] {
                                released.wait();
                                return Json::object();
                              },
                              [](const std::string&) { return Result<Json>(Json()); }});
  std::jthread asking([this] { (void)tell(ControlCommand::status); });
  const auto answers = tell(ControlCommand::stop, "now");
  EXPECT_TRUE(answers.at(0).ok());
  EXPECT_TRUE(stopped);
  release.set_value();
}

TEST_F(ControlSocketTest, SilentAndManyConnectionsDoNotKeepStopOut) {
  std::atomic<bool> stopped{false};
  const auto socket = listen({[&stopped](const std::string&) { stopped = true; }, [] {}, [] { return Json(); },
                              [](const std::string&) { return Result<Json>(Json()); }});
  const auto address = control_address(socket->path());
  ASSERT_TRUE(address.ok());
  std::vector<Fd> silent;
  for (int i = 0; i < 60; ++i) {
    silent.emplace_back(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::connect(silent.back().get(), generic(*address), sizeof *address), 0);
  }
  EXPECT_TRUE(tell(ControlCommand::stop).at(0).ok());
  EXPECT_TRUE(stopped);
}

TEST_F(ControlSocketTest, GarbageIsAnsweredWithAnErrorAndNothingHappens) {
  std::atomic<int> acted{0};
  const auto socket = listen({[&acted](const std::string&) { ++acted; }, [&acted] { ++acted; },
                              [] { return Json::object(); }, [](const std::string&) { return Result<Json>(Json()); }});
  const auto address = control_address(socket->path());
  for (const std::string& text : {std::string("x"), std::string("{}"), std::string("[]"), std::string(31000, '['),
                                  std::string(R"({"command":7})"), std::string(R"({"command":"STOP"})")}) {
    const Fd peer(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::connect(peer.get(), generic(*address), sizeof *address), 0);
    ASSERT_EQ(::send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    ASSERT_TRUE(wait_readable(peer.get(), Deadline::in(kPatience)).ok());
    const auto reply = receive_json(peer.get());
    ASSERT_TRUE(reply.ok());
    EXPECT_EQ((*reply)["ok"], false) << text.substr(0, 40);
  }
  EXPECT_EQ(acted, 0);
  EXPECT_TRUE(tell(ControlCommand::status).at(0).ok());
}

TEST_F(ControlSocketTest, SocketsOfTheDeadAreTakenAway) {
  std::string left;
  {
    Server gone(base_);
    left = control_socket_path(base_, gone.pid());
  }
  ASSERT_TRUE(std::filesystem::exists(left));
  EXPECT_TRUE(tell(ControlCommand::status).empty());
  EXPECT_FALSE(std::filesystem::exists(left));
  std::ofstream(base_ + "/control-x.sock") << "not ours";
  EXPECT_TRUE(tell(ControlCommand::stop).empty());
  EXPECT_TRUE(std::filesystem::exists(base_ + "/control-x.sock"));
}

TEST_F(ControlSocketTest, NoServerAndNoFolderIsNoError) {
  EXPECT_TRUE(tell(ControlCommand::stop).empty());
  const auto answers = tell_servers(base_ + "/none", ControlCommand::stop, "", Deadline::in(kPatience));
  ASSERT_TRUE(answers.ok());
  EXPECT_TRUE(answers->empty());
}

TEST_F(ControlSocketTest, ItEndsWithItsObject) {
  auto socket = listen({[](const std::string&) {}, [] {}, [] { return Json(); },
                        [](const std::string&) { return Result<Json>(Json()); }});
  const std::string path = socket->path();
  socket.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(tell(ControlCommand::status).empty());
}

TEST_F(ControlSocketTest, AMarkerThatCannotBeReadStillMeansStopped) {
  const std::string marker = base_ + "/stopped";
  EXPECT_FALSE(stopped_reason(marker).has_value());
  ASSERT_TRUE(mark_stopped(marker, "tea \"time\"\n").ok());
  EXPECT_EQ(stopped_reason(marker), "tea \"time\"\n");
  std::ofstream(marker) << "garbage";
  EXPECT_TRUE(stopped_reason(marker).has_value());
  ::chmod(marker.c_str(), 0666);
  EXPECT_TRUE(stopped_reason(marker).has_value());
  ASSERT_TRUE(clear_stopped(marker).ok());
  EXPECT_FALSE(stopped_reason(marker).has_value());
  EXPECT_TRUE(clear_stopped(marker).ok());
  std::filesystem::create_symlink("/nowhere", marker);
  EXPECT_TRUE(stopped_reason(marker).has_value());
}

}  // namespace
}  // namespace handrail::linux_

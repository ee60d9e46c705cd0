#include "contract/fixture_apps.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace handrail::contract {
namespace {

// `out` becomes standard output when it is a descriptor.
pid_t spawn(const std::string& program, std::vector<std::string> arguments, const std::string& display, int out) {
  arguments.insert(arguments.begin(), std::string(HANDRAIL_FIXTURES) + "/" + program);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string home = std::filesystem::temp_directory_path();
  std::array<std::string, 7> words{"DISPLAY=" + display, "HOME=" + home, "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
                                   // Apps under test speak to this display and to nothing else.
                                   "GDK_BACKEND=x11", "NO_AT_BRIDGE=1", "GTK_IM_MODULE=gtk-im-context-simple"};
  std::vector<char*> environment;
  for (std::string& word : words) environment.push_back(word.data());
  environment.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out >= 0 ? out : null, STDOUT_FILENO);
  ::execve(argv[0], argv.data(), environment.data());
  ::_exit(127);
}

}  // namespace

LogFolder::LogFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "handrail-contract-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
  watch_ = watch();
}

LogFolder::~LogFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Fd LogFolder::watch() const {
  Fd made(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (::inotify_add_watch(made.get(), path_.c_str(), IN_MODIFY | IN_CREATE) < 0) std::abort();
  return made;
}

bool LogFolder::wait_for_growth(Deadline deadline) { return wait_for_report(watch_.get(), deadline); }

bool wait_for_report(int watch, Deadline deadline) {
  pollfd ready{watch, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(deadline.left().count())) <= 0) return false;
  alignas(inotify_event) std::array<char, 4096> events;
  while (::read(watch, events.data(), events.size()) > 0) {
  }
  return true;
}

FixtureApp::FixtureApp(const std::string& program, std::vector<std::string> arguments, const std::string& display,
                       std::filesystem::path log)
    : log_(std::move(log)) {
  arguments.insert(arguments.end(), {"--log", log_.string()});
  pid_ = spawn(program, std::move(arguments), display, -1);
}

FixtureApp::~FixtureApp() { kill(); }

void FixtureApp::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::vector<Json> FixtureApp::log() const {
  std::ifstream file(log_);
  std::vector<Json> events;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    auto parsed = parse_json(line);
    EXPECT_TRUE(parsed.ok()) << line;
    if (parsed.ok()) events.push_back(std::move(*parsed));
  }
  return events;
}

std::string output_of(const std::string& program, const std::vector<std::string>& arguments,
                      const std::string& display) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  const pid_t pid = spawn(program, arguments, display, ends[1]);
  ::close(ends[1]);
  const Fd from(ends[0]);
  std::string text;
  std::array<char, 65536> part;
  for (ssize_t n = 0; (n = ::read(from.get(), part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << program << " failed";
  return text;
}

}  // namespace handrail::contract

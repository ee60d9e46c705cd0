// A private session for one test: X server, session bus and accessibility bus, and the programs on it.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/atspi/secrets.h"
#include "platform/x11/app_windows.h"
#include "support/exec_block.h"
#include "support/x_server.h"

namespace handrail::testing {

inline atspi::AtspiSecrets::BusAddress bus_at(std::string address) {
  return [address = std::move(address)]() -> Result<std::string> { return address; };
}

inline constexpr std::chrono::seconds kPatience{40};
inline Deadline soon() { return Deadline::in(Millis(20000)); }

// Tells when something is written into the folders of this program's sessions: what apps log, and sockets that come.
class FolderNews {
 public:
  static FolderNews& all() {
    static FolderNews news;
    return news;
  }
  void watch(const std::string& folder) const {
    ::inotify_add_watch(source_, folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO);
  }
  void await(Millis most) const {
    pollfd source{source_, POLLIN, 0};
    if (::poll(&source, 1, static_cast<int>(most.count())) <= 0) return;
    char events[4096];
    while (::read(source_, events, sizeof events) > 0) {
    }
  }

 private:
  FolderNews() : source_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}
  int source_;
};

// Looks again as soon as an app has logged something; what displays and buses hold no file tells of, so there it looks
// again soon.
inline bool eventually(const std::function<bool()>& done) {
  const auto end = Clock::now() + kPatience;
  while (!done()) {
    if (Clock::now() > end) return false;
    FolderNews::all().await(Millis(10));
  }
  return true;
}

// A program in a process group of its own, gone with this object.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment,
          int output = -1, int input = -1) {
    const ExecBlock program(arguments, environment);
    pid_ = ::fork();
    if (pid_ > 0) ::setpgid(pid_, pid_);
    if (pid_ != 0) return;
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(input >= 0 ? input : null, 0);
    ::dup2(output >= 0 ? output : null, 1);
    ::dup2(null, 2);
    program.run();
  }
  ~Program() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  pid_t pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }

 private:
  pid_t pid_ = -1;
};

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/handrail-secrets-XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
    FolderNews::all().watch(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A private session with accessibility switched on.
struct Session {
  Session() : x({{1280, 800}, true, {}}) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    environment = {{"DISPLAY", x.name()},
                   {"HOME", folder.path()},
                   {"XDG_RUNTIME_DIR", folder.path()},
                   {"XDG_CONFIG_HOME", folder.path()},
                   {"XDG_CACHE_HOME", folder.path()},
                   {"LC_ALL", "C.UTF-8"},
                   {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"},
                   {"GSETTINGS_BACKEND", "memory"},
                   {"NO_AT_BRIDGE", "0"}};
    const std::string listen = "--address=unix:path=" + (folder / "bus");
    bus = std::make_unique<Program>(
        std::vector<std::string>{"dbus-daemon", "--session", "--nofork", listen, "--print-address=1"}, environment,
        ends[1]);
    ::close(ends[1]);
    pollfd source{ends[0], POLLIN, 0};
    char line[512] = {};
    const bool up = ::poll(&source, 1, 20000) > 0 && ::read(ends[0], line, sizeof line - 1) > 0;
    ::close(ends[0]);
    if (!up) throw std::runtime_error("dbus-daemon did not start");
    address = line;
    address.resize(address.find_first_of("\n"));
    environment["DBUS_SESSION_BUS_ADDRESS"] = address;
    launcher = std::make_unique<Program>(
        std::vector<std::string>{"/usr/libexec/at-spi-bus-launcher", "--launch-immediately"}, environment);
    // Qt 5 looks for the bus once, when it starts.
    const std::string sockets = folder / "at-spi";
    const bool accessible = eventually([&] {
      std::error_code none;
      return std::filesystem::directory_iterator(sockets, none) != std::filesystem::directory_iterator();
    });
    if (!accessible) throw std::runtime_error("the accessibility bus did not start");
  }
  std::string app(const std::string& name) const {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  }

  Folder folder;
  XServer x;
  std::map<std::string, std::string> environment;
  std::unique_ptr<Program> bus, launcher;
  std::string address;
};

// As the program wires it.
struct Places {
  explicit Places(const Session& session)
      : connection(std::make_shared<x11::Connection>([&session]() -> Result<std::string> { return session.x.name(); })),
        layout(connection) {
    known.all = [this]() -> Result<std::vector<atspi::AppWindow>> {
      std::vector<atspi::AppWindow> windows;
      for (const x11::AppWindow& window : TRY(x11::app_windows(*connection, layout, soon()))) {
        windows.push_back({window.pid, window.frame, window.whole, window.content, window.id, window.title});
      }
      return windows;
    };
  }
  std::shared_ptr<x11::Connection> connection;
  x11::DisplayLayout layout;
  atspi::WindowPlaces known;
};

}  // namespace handrail::testing

// Embedded desktops for tests: folders of their own, and an oracle outside Handrail that runs on them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "platform/linux/desktop.h"
#include "platform/linux/desktop_control.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {

inline constexpr Millis kPatience{5000};

inline std::string why(const auto& result) { return result.ok() ? "" : to_text(result.error()); }

// Sets variables for one scope.
class Variables {
 public:
  explicit Variables(const Environment& values) {
    for (const auto& [name, value] : values) {
      const char* old = std::getenv(name.c_str());
      before_[name] = old ? std::optional<std::string>(old) : std::nullopt;
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~Variables() {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

inline std::string make_folder() {
  std::string path = "/tmp/hr-XXXXXX";
  if (!::mkdtemp(path.data())) std::abort();
  return path;
}

class DesktopTest : public ::testing::Test {
 protected:
  void TearDown() override {
    if (const auto left = list_desktops(); left.ok()) {
      for (const DesktopInfo& info : *left) static_cast<void>(stop_desktop(info.name));
    }
    remove_folder(folder_);
  }

  DesktopInfo start(const DesktopOptions& options = {}) {
    Result<DesktopInfo> info = start_desktop(options);
    if (!info.ok()) throw std::runtime_error(to_text(info.error()));
    return *info;
  }

  static std::string beside_us(const std::string& program) {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
  }

  struct Ran {
    ExitStatus status;
    std::string output;
  };
  // Runs a program on the desktop to its end, with what it wrote.
  static Ran run(const DesktopInfo& info, const std::vector<std::string>& argv) {
    Pipe output = make_pipe().value();
    const Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const auto program = run_on_desktop(
        info, {.argv = argv, .streams = {null.get(), output.write.get(), output.write.get()}, .bound = true},
        Deadline::in(kPatience));
    if (!program.ok()) throw std::runtime_error(to_text(program.error()));
    output.write.reset();
    Ran ran;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(output.read.get(), buffer, sizeof buffer)) > 0;) {
      ran.output.append(buffer, static_cast<std::size_t>(n));
    }
    EXPECT_TRUE(wait_readable(program->ended.get(), Deadline::in(kPatience)).ok());
    ran.status = program->exit_status().value();
    return ran;
  }
  static Json desk_state(const DesktopInfo& info) {
    return parse_json(run(info, {beside_us("desk_state")}).output).value();
  }

  // Nothing of the desktop is left: no process, no file.
  void expect_gone(const DesktopInfo& info) {
    for (const ProcessId& id : processes_started_with(marker_entry(info.name, info.id))) {
      ADD_FAILURE() << "process " << id.pid << " is left: " << executable_of(id.pid);
    }
    EXPECT_FALSE(is_alive(info.supervisor));
    EXPECT_FALSE(is_alive(info.keeper));
    EXPECT_FALSE(is_alive(info.server));
    EXPECT_FALSE(std::filesystem::exists(info.runtime_dir));
    EXPECT_FALSE(std::filesystem::exists(info.runtime_dir + ".lock"));
    const std::string lock = "/tmp/.X" + info.display.substr(1) + "-lock";
    // Another server may have taken the number since.
    if (const auto text = read_small_file(lock, 64); text.ok()) {
      EXPECT_NE(std::atoi(text->c_str()), info.server.pid) << lock << " is left";
    }
  }
  // Until a process has ended, as its own handle tells.
  static void await_end(const ProcessId& id, Millis patience) {
    if (const auto handle = open_pidfd(id.pid); handle.ok() && is_alive(id)) {
      EXPECT_TRUE(wait_readable(handle->get(), Deadline::in(patience)).ok()) << "process " << id.pid << " lives on";
    }
  }

  std::string folder_ = make_folder();
  Variables variables_{{{"XDG_RUNTIME_DIR", folder_}, {"XDG_DATA_HOME", folder_ + "/data"}, {"HOME", folder_}}};
};

}  // namespace handrail::linux_

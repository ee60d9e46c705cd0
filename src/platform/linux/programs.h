// The Programs port: programs in bubblewrap's sandbox, and the processes of this user.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "computer/programs.h"
#include "platform/linux/files.h"
#include "platform/linux/sandbox.h"

namespace handrail::linux_ {

class LinuxPrograms : public Programs {
 public:
  struct Settings {
    LinuxFiles::Source reach;
    Network network = Network::none;
    std::function<std::map<std::string, std::string>()> environment;  // of the desktop
    // What every process of the desktop was started with; empty: all of the user's are meant.
    std::string scope{};
    std::string bwrap = "/usr/bin/bwrap";
  };
  explicit LinuxPrograms(Settings settings) : settings_(std::move(settings)) {}

  std::string missing(std::string* fix) override;
  Result<ProgramEnd> run(const RunProgram& program, Permit permit, std::stop_token stop) override;
  Result<std::vector<ProcessInfo>> processes(Deadline deadline) override;
  Result<ProcessInfo> process(std::int64_t pid) override;
  Result<bool> end(const EndProcess& end, Permit permit, Deadline deadline) override;
  std::map<std::string, std::string> environment() override { return settings_.environment(); }

 private:
  bool is_here(std::int64_t pid) const;

  Settings settings_;
};

}  // namespace handrail::linux_

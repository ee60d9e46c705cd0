// Which installed entry starts a program. The system's entries come before the person's, so that a file in the home
// folder cannot give a program another name.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/process.h"
#include "platform/linux/desktop_entry.h"

namespace handrail::linux_ {

// Installed entries, the system's first; each id once.
std::vector<DesktopEntry> entries_system_first(const Environment& environment);

// Not thread-safe.
class NamedApps {
 public:
  explicit NamedApps(Environment environment) : environment_(std::move(environment)) {}

  // The id of the entry that starts this executable, or this script; empty when none does. Entries are read again when
  // the program is not known and the last reading is some seconds old.
  std::string desktop_id(const std::string& executable, const std::string& script);

 private:
  void read();

  Environment environment_;
  std::map<std::string, std::string> ids_;  // by program
  std::chrono::steady_clock::time_point read_at_{};
};

}  // namespace handrail::linux_

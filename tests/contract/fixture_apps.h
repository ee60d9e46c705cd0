// Programs that the X11 desk runs: started with a given display, heard through the file they log to,
// and ended with it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"

namespace handrail::contract {

// A folder of its own for logs; tells when any file in it grew.
class LogFolder {
 public:
  LogFolder();
  ~LogFolder();
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;

  std::filesystem::path path() const { return path_; }
  bool wait_for_growth(Deadline deadline);
  // Another watch on the same folder, for another thread.
  Fd watch() const;

 private:
  std::filesystem::path path_;
  Fd watch_;
};

// True when the watch reported something until the deadline.
bool wait_for_report(int watch, Deadline deadline);

class FixtureApp {
 public:
  FixtureApp(const std::string& program, std::vector<std::string> arguments, const std::string& display,
             std::filesystem::path log);
  ~FixtureApp();
  FixtureApp(const FixtureApp&) = delete;
  FixtureApp& operator=(const FixtureApp&) = delete;

  pid_t pid() const { return pid_; }
  void kill();
  // Whole lines only.
  std::vector<Json> log() const;

 private:
  pid_t pid_ = -1;
  std::filesystem::path log_;
};

// Runs a program to its end; what it printed. Fails the test when it failed.
std::string output_of(const std::string& program, const std::vector<std::string>& arguments,
                      const std::string& display);

}  // namespace handrail::contract

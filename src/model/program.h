// Programs as actions, gates and ports speak of them: what to run in the sandbox, what came of it, and the processes
// of this user.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace handrail {

struct RunProgram {
  std::vector<std::string> argv;
  std::string script;  // what the program is told to run, for the gates: it is one of the arguments or the input
  std::string input;   // on its standard input
  std::string cwd;     // a folder below a granted root; empty: the first root
  std::vector<std::pair<std::string, std::string>> environment;  // added to a clean one
  Millis patience{30000};
  friend bool operator==(const RunProgram&, const RunProgram&) = default;
};

// One stream of a program, cut after its cap.
struct ProgramOutput {
  std::string text;
  std::int64_t bytes = 0;  // in all, as far as it was read
};

struct ProgramEnd {
  int exit_code = 0;
  int signal = 0;  // 0: it ended by itself
  bool timed_out = false;
  ProgramOutput output;
  ProgramOutput errors;
};

struct ProcessInfo {
  std::int64_t pid = 0;
  std::uint64_t started = 0;  // in clock ticks; with the number it names one process for ever
  std::string name;
  std::string executable;
  std::int64_t memory_kb = 0;
  double cpu_seconds = 0;
};

// Asks a process to end, then makes it.
struct EndProcess {
  std::int64_t pid = 0;
  std::uint64_t started = 0;
  friend bool operator==(const EndProcess&, const EndProcess&) = default;
};

}  // namespace handrail

// What /proc tells about processes: identity that survives reuse of numbers, descent, environment.
// Reads only, except for the functions whose names say that they end something.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace handrail::linux_ {

// A process number means the same process as long as the start time is the same.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t start_time = 0;  // clock ticks since boot
  friend bool operator==(const ProcessId&, const ProcessId&) = default;
};

struct ProcessFacts {
  ProcessId id;
  pid_t parent = 0;
  pid_t session = 0;
  char state = '?';  // 'Z' has ended and waits to be reaped
};

// Nothing when there is no such process.
std::optional<ProcessFacts> process_facts(pid_t pid);
// For one that is looked at again and again: its file stays open, and means that process alone. Not valid when there
// is no such process.
Fd open_state(pid_t pid);
// 'T' is stopped; nothing when it is gone.
std::optional<char> state_now(const Fd& state);
bool is_alive(const ProcessId& id);
std::vector<ProcessFacts> all_processes();
// Children, their children and so on; zombies left out.
std::vector<ProcessId> descendants(pid_t ancestor);

// Whether it is the first process of a Chromium, or of a program built on it: those name what their children are for.
bool is_chromium(pid_t pid);

// Whether `process` was started by `ancestor`, by one that it started, and so on. The first process is nobody's
// ancestor: it takes in orphans.
bool is_ancestor(pid_t ancestor, pid_t process);

// Whether the environment that the process was started with has the entry "NAME=value".
bool started_with(pid_t pid, const std::string& entry);
std::vector<ProcessId> processes_started_with(const std::string& entry);

// The file it runs, and its arguments; empty when they cannot be read.
std::string executable_of(pid_t pid);
std::vector<std::string> arguments_of(pid_t pid);

// SIGTERM to each, SIGKILL to those still there after `grace`; returns when all have ended or `grace`
// plus a second has passed. Orphans that become ours are reaped by the caller.
void end_processes(const std::vector<ProcessId>& processes, Millis grace);

}  // namespace handrail::linux_

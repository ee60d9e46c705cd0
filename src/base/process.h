// Child processes: started by argument list, never through a shell, with exactly the environment and
// descriptors they are given. Only what was started here is ever signalled or waited for.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace handrail {

using Environment = std::map<std::string, std::string>;

// How a process ended.
struct ExitStatus {
  int code = 0;    // when it exited by itself
  int signal = 0;  // when a signal ended it; 0 otherwise
  bool success() const { return code == 0 && signal == 0; }
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};
// "status 3", "signal 11 (Segmentation fault)".
std::string to_text(const ExitStatus& status);

// What a child belongs to. A group or session of its own is signalled as a whole.
enum class Leads { nothing, group, session };

struct SpawnOptions {
  std::vector<std::string> argv = {};  // argv[0]: a path, or a name found on the PATH of `environment`
  std::string program = {};            // the file to run when it is not the one argv[0] names
  Environment environment = {};
  std::string cwd = {};  // empty: the caller's
  // Standard streams; -1 is /dev/null.
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  // Further descriptors as (ours, number in the child from 3 to 63). All others are closed.
  std::vector<std::pair<int, int>> keep = {};
  Leads leads = Leads::group;
  // Sent to the child when the thread that spawned it ends (the kernel ties it to the thread, not to
  // the process). 0: the child lives on.
  int death_signal = 0;
};

// Owns a started child. Destroying it kills what still runs, with its group, and reaps it.
class Process {
 public:
  // Fails when the program cannot be executed (`not_found`, `io_error`), so success means that it runs.
  static Result<Process> spawn(const SpawnOptions& options);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  pid_t pid() const { return pid_; }
  // Readable once the process has ended.
  int pidfd() const { return pidfd_.get(); }

  // `timeout` when it still runs at the deadline.
  Result<ExitStatus> wait(Deadline deadline);
  // Without waiting; nothing while it runs.
  std::optional<ExitStatus> poll();
  // To the group or session it leads, else to the process alone.
  Status send_signal(int signal);
  // SIGTERM, then SIGKILL when it has not ended after `grace`.
  Result<ExitStatus> terminate(Millis grace);
  // Lets it run on without us; its parent will be the nearest reaper.
  void detach();

 private:
  Process(pid_t pid, Fd pidfd, Leads leads);

  pid_t pid_ = -1;
  Fd pidfd_;
  Leads leads_ = Leads::nothing;
  std::optional<ExitStatus> status_;
};

// A handle on any process, readable once that has ended. It never comes to mean another process.
Result<Fd> open_pidfd(pid_t pid);
Status signal_pidfd(int pidfd, int signal);
// Asks it to end, and kills it when it has not after `grace`. True when it ended by itself; `timeout` when it is still
// there at the deadline.
Result<bool> end_by_pidfd(int pidfd, Millis grace, Deadline deadline);

// The executable that `name` means: itself when it has a slash, else the first match on `path`.
Result<std::string> find_program(const std::string& name, const std::string& path);

// A pipe whose both ends are closed on exec.
struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> make_pipe();

// Waits until `fd` is readable or hung up. `timeout` when neither happened by the deadline.
Status wait_readable(int fd, Deadline deadline);

// This process's environment as a map.
Environment current_environment();

}  // namespace handrail

// Who a process is, from the kernel: the file it runs, its namespaces, sandbox and script. A number that is given to
// another process in between is noticed. What cannot be read, and what lives in another namespace without a known
// sandbox, stays unknown.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/fd.h"
#include "base/process.h"
#include "model/identity.h"
#include "platform/linux/named_app.h"

namespace handrail::linux_ {

// The file itself; unknown when there is none.
FileId file_id(const std::string& path);

// Answers from any thread. Keeps the identities of the latest processes; an answer from there has checked that the
// process still lives and still runs the same file.
class Identities {
 public:
  explicit Identities(Environment desktop_environment);

  AppIdentity identify(std::int64_t pid);

 private:
  static constexpr std::size_t kMaxKept = 128;  // each holds a descriptor
  struct Kept {
    Fd handle;  // while this process lives, its number is nobody else's
    AppIdentity identity;
    FileId running;         // what /proc/PID/exe was, also when the identity is unknown
    std::string arguments;  // of runtimes, whose script may change
  };

  AppIdentity fresh(std::int64_t pid, Kept& kept);

  NamedApps named_;
  FileId own_;
  std::mutex mutex_;
  std::unordered_map<std::int64_t, Kept> kept_;
  std::list<std::int64_t> order_;  // the oldest first
};

// For the ports: the same object behind a function.
std::function<AppIdentity(std::int64_t pid)> identify_with(std::shared_ptr<Identities> identities);

}  // namespace handrail::linux_

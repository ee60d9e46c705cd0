// The lock file of one display: one process of this user holds it at a time. The kernel lets go of it when its holder
// dies; a holder that was stopped loses it to the next one, and finds out when it asks. It knows nothing of the
// display.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {

// What a holder writes into the file: for people, and to tell a stopped one. Never a proof of anything.
struct LockHolder {
  std::string session;
  ProcessId process;
  std::string boot;         // which run of the machine the process number belongs to
  std::string acquired_at;  // UTC
  std::uint64_t token = 0;  // counts up with every holder
};
Json to_json(const LockHolder& holder);
// Whatever cannot be read is left empty.
LockHolder lock_holder(std::string_view content);

// FOLDER/lock-DISPLAY; ":0.0" and ":0" are the same display.
std::string lock_file_path(const std::string& folder, const std::string& display);

class LockFile {
 public:
  // A stopped holder may be taken over after it was seen stopped for `stopped_for`.
  explicit LockFile(std::string path, Millis stopped_for = Millis(1000));
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  // Takes the lock, or keeps it when it is held already. `busy` at once when a running process holds it, with who that
  // is; only to watch a stopped one it takes time.
  Status take(const std::string& session, Deadline deadline);
  // Still ours? One look at the path. `busy` when it was taken over, replaced or taken away.
  Status check() const;
  void release() noexcept;
  // Counts up with every holder of this file; 0 when not held.
  std::uint64_t token() const;

 private:
  struct Held {
    Fd file;
    dev_t device = 0;
    ino_t inode = 0;
    std::uint64_t token = 0;
  };
  Result<bool> try_take(const std::string& session, LockHolder& other);
  Result<bool> take_over(const std::string& session, const LockHolder& other, Deadline deadline);
  Status keep(Fd file, std::uint64_t token);
  bool is_path(const Held& held) const;

  std::string path_;
  Millis stopped_for_;
  mutable std::mutex mutex_;
  Held held_;
};

}  // namespace handrail::linux_

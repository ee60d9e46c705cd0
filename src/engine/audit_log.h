// The log of every attempt: JSON lines, one file a day, each record bound to the one before by its hash, with signed
// checkpoints. Nothing is done whose record is not written. It does not know what is in a record; secrets are left out
// by who makes them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace handrail::engine {

class AuditLog {
 public:
  struct Settings {
    std::string folder;    // made with mode 0700 when it is not there
    std::string key_file;  // the signing key, 0600; made when it is not there. Its folder must be there and private
    std::uint64_t checkpoint_every = 100;
    // For tests of the change of days.
    std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;
  };

  // Goes on with the chain that is there; a checkpoint comes first unless the log ends with one. Several processes may
  // have it open: one writes at a time.
  static Result<std::unique_ptr<AuditLog>> open(Settings settings);
  // Ends with a checkpoint.
  virtual ~AuditLog() = default;

  // One record, with the kernel when it returns; its sequence number. From any thread. `io_error` names the file and
  // the reason, and nothing of the record stays. What was found damaged is told by a record of its own before this one.
  virtual Result<std::uint64_t> append(std::string_view kind, Json body) = 0;
  // Whether a record could be written now: disk, file and chain are as they should be.
  virtual Status ready() = 0;
  // The newest `counter` of a `state_saved` record; 0 when there was none.
  virtual Result<std::uint64_t> newest_state() = 0;
};

// The same as newest_state(), for who only reads.
Result<std::uint64_t> newest_state_in(const std::string& folder, const std::string& key_file);

// Where they stand below the folder and beside the key.
std::string audit_lock_file(const std::string& folder);
std::string audit_head_file(const std::string& folder);
std::string audit_anchor_file(const std::string& key_file);

}  // namespace handrail::engine

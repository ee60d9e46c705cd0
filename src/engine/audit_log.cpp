#include "engine/audit_log.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <mutex>

#include "base/digest.h"
#include "base/private_file.h"
#include "engine/audit_head.h"
#include "engine/audit_tail.h"

namespace handrail::engine {
namespace {

// A writer needs microseconds; one that was stopped in the middle must not stop everybody.
constexpr Millis kPatience{2000};
constexpr std::uint64_t kLeastFree = 64 * 1024;

class FileAuditLog : public AuditLog {
 public:
  FileAuditLog(const Settings& settings, SigningKey key, FileLock lock)
      : folder_(settings.folder),
        checkpoint_every_(settings.checkpoint_every),
        lock_(std::move(lock)),
        tail_(settings.folder, settings.key_file, std::move(key), settings.now) {}

  ~FileAuditLog() override {
    (void)locked([this]() -> Status {
      TRY(tail_.settle());
      if (tail_.head().count > tail_.head().checkpoint) TRY(tail_.write_checkpoint());
      return {};
    });
  }

  // A full disk is told by the first append, not here: the program must be able to start and say so.
  Status begin() {
    return locked([this]() -> Status {
      const Status settled = tail_.settle();
      if (!settled.ok() && settled.error().code != Code::io_error) return settled;
      const AuditHead& head = tail_.head();
      const bool signed_already = head.count > 0 && head.count == head.checkpoint;
      due_ = !settled.ok() || (!signed_already && !tail_.write_checkpoint().ok());
      return {};
    });
  }

  Result<std::uint64_t> append(std::string_view kind, Json body) override {
    return locked([&]() -> Result<std::uint64_t> {
      TRY(tail_.settle());
      if (due_ || tail_.head().count - tail_.head().checkpoint >= checkpoint_every_) {
        TRY(tail_.write_checkpoint());
        due_ = false;
      }
      TRY(tail_.write(kind, body));
      return tail_.head().count;
    });
  }

  Status ready() override {
    return locked([this]() -> Status {
      TRY(tail_.settle());
      struct statvfs disk {};
      if (::fstatvfs(tail_.log().fd(), &disk) != 0) {
        return file_error("look at the disk of", tail_.log().path(), errno);
      }
      const bool full = disk.f_blocks > 0 && disk.f_bavail * disk.f_frsize < kLeastFree;
      return full ? Status(file_error("write", tail_.log().path(), ENOSPC)) : Status();
    });
  }

  Result<std::uint64_t> newest_state() override {
    return locked([this]() -> Result<std::uint64_t> {
      TRY(tail_.settle());
      return tail_.head().state;
    });
  }

 private:
  template <class Act>
  auto locked(const Act& act) -> decltype(act()) {
    const std::lock_guard guard(mutex_);
    // The folder may have been taken away, and the lock is in it.
    TRY(ensure_private_folder(folder_));
    TRY(lock_.lock(Deadline::in(kPatience)));
    auto done = act();
    lock_.unlock();
    return done;
  }

  std::string folder_;
  std::uint64_t checkpoint_every_;
  std::mutex mutex_;
  FileLock lock_;
  AuditTail tail_;
  bool due_ = false;  // a checkpoint that could not be written
};

}  // namespace

std::string audit_lock_file(const std::string& folder) { return folder + "/lock"; }
std::string audit_head_file(const std::string& folder) { return folder + "/head"; }
std::string audit_anchor_file(const std::string& key_file) { return key_file + ".anchor"; }

Result<std::uint64_t> newest_state_in(const std::string& folder, const std::string& key_file) {
  const Result<std::string> bytes = read_private_file(audit_head_file(folder), kHeadBytes);
  if (!bytes.ok() && bytes.error().code == Code::not_found) {
    const Result<std::string> anchor = read_private_file(audit_anchor_file(key_file), kHeadBytes);
    if (!anchor.ok() && anchor.error().code == Code::not_found) return 0;
  }
  if (!bytes.ok()) return bytes.error();
  const std::string secret = TRY(secret_of_file(key_file));
  const auto head = audit_head(*bytes, audit_head_key(secret));
  if (!head) return make_error(Code::io_error, "The head of the audit log is damaged.");
  return head->state;
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(Settings settings) {
  TRY(ensure_private_folder(settings.folder));
  const std::string secret = TRY(secret_of_file(settings.key_file));
  SigningKey key = TRY(signing_key(secret));
  FileLock lock = TRY(FileLock::open(audit_lock_file(settings.folder)));
  auto log = std::make_unique<FileAuditLog>(settings, std::move(key), std::move(lock));
  TRY(log->begin());
  return std::unique_ptr<AuditLog>(std::move(log));
}

}  // namespace handrail::engine

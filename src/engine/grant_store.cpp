#include "engine/grant_store.h"

#include <fmt/format.h>

#include <mutex>

#include "base/private_file.h"
#include "engine/audit_record.h"
#include "engine/grant_store_record.h"

namespace handrail::engine {
namespace {

constexpr Millis kPatience{2000};
constexpr std::size_t kMaxBytes = 4 * 1024 * 1024;

class FileGrantStore : public GrantStore {
 public:
  FileGrantStore(Settings settings, std::string key, FileLock lock)
      : settings_(std::move(settings)),
        path_(settings_.folder + "/grants.json"),
        key_(std::move(key)),
        lock_(std::move(lock)) {}

  KeptState load(std::string* told) override {
    Result<CountedState> kept = read();
    if (kept.ok()) return std::move(kept->state);
    if (told != nullptr) *told = kept.error().message;
    return {};
  }

  Result<std::uint64_t> change(const std::function<void(KeptState&)>& edit) override {
    const std::lock_guard guard(mutex_);
    TRY(lock_.lock(Deadline::in(kPatience)));
    Result<std::uint64_t> done = change_locked(edit);
    lock_.unlock();
    return done;
  }

 private:
  Result<std::uint64_t> newest() const { return settings_.newest_known ? settings_.newest_known() : 0; }

  Result<CountedState> read() const {
    // Asked first: a change in between makes the file newer than this, never older.
    const std::uint64_t known = TRY(newest());
    const Result<std::string> bytes = read_private_file(path_, kMaxBytes);
    if (!bytes.ok()) {
      if (bytes.error().code != Code::not_found) return bytes.error();
      if (known == 0) return CountedState{};
      return make_error(Code::not_found, fmt::format("The kept grants are gone: there is no {}.", path_));
    }
    CountedState kept = TRY(counted_state(*bytes, key_));
    if (kept.counter < known) {
      return make_error(
          Code::target_stale,
          fmt::format("The kept grants are those of change {}, but {} was written since.", kept.counter, known));
    }
    return kept;
  }

  Result<std::uint64_t> change_locked(const std::function<void(KeptState&)>& edit) {
    const std::uint64_t known = TRY(newest());
    const Result<CountedState> before = read();
    CountedState kept = before.ok() ? *before : CountedState{};
    edit(kept.state);
    kept.counter = std::max(kept.counter, known) + 1;
    TRY(replace_private_file(path_, to_bytes(kept, key_)));
    if (settings_.changed) TRY(settings_.changed(kept.counter));
    return kept.counter;
  }

  Settings settings_;
  std::string path_;
  std::string key_;
  std::mutex mutex_;
  FileLock lock_;
};

}  // namespace

GrantStore::Settings GrantStore::settings_with(std::string folder, std::string key_file, AuditLog& audit) {
  return {std::move(folder), std::move(key_file), [&audit] { return audit.newest_state(); },
          [&audit](std::uint64_t counter) -> Status {
            TRY(audit.append(kStateKind, {{"counter", counter}}));
            return {};
          }};
}

Result<std::unique_ptr<GrantStore>> GrantStore::open(Settings settings) {
  TRY(ensure_private_folder(settings.folder));
  const std::string secret = TRY(secret_of_file(settings.key_file));
  FileLock lock = TRY(FileLock::open(settings.folder + "/grants.lock"));
  return std::unique_ptr<GrantStore>(
      std::make_unique<FileGrantStore>(std::move(settings), grant_record_key(secret), std::move(lock)));
}

}  // namespace handrail::engine

// The end of an audit log on disk, where records are added: finds it, mends what a crash left, notes what others did to
// it, and writes whole records or nothing. Used by one thread at a time, under the log's lock.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "engine/audit_head.h"

namespace handrail::engine {

// A file that stays open, and whether its path still means it.
class KeptFile {
 public:
  Status open(const std::string& path, int flags);
  bool current() const;
  Result<std::uint64_t> size() const;
  int fd() const { return file_.get(); }
  const std::string& path() const { return path_; }

 private:
  Fd file_;
  std::string path_;
  struct stat facts_ {};
};

class AuditTail {
 public:
  using Now = std::function<std::chrono::system_clock::time_point()>;
  AuditTail(std::string folder, std::string key_file, SigningKey key, Now now);

  // Afterwards head() is the truth, and what was found damaged since the last time has a record.
  Status settle();
  // After settle().
  Status write(std::string_view kind, const Json& body);
  // A signed record; everything up to it is on disk, and the anchor beside the key knows of it.
  Status write_checkpoint();
  const AuditHead& head() const { return head_; }
  const KeptFile& log() const { return log_; }

 private:
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string todays_file() const;
  Status read_head();
  Status write_head(const AuditHead& head);
  Status recover_head(const std::string& reason);
  Status finish_pending();
  Status open_log();
  AuditHead anchor() const;
  void note(std::string_view kind, Json body) { notes_.emplace_back(kind, std::move(body)); }

  std::string folder_;
  std::string key_file_;
  SigningKey key_;
  std::string head_key_;
  Now now_;
  std::chrono::system_clock::time_point at_{};  // of settle(): a record and the file it stands in are of one day
  KeptFile head_file_;
  std::string head_bytes_;  // as they were read or written last
  AuditHead head_;
  KeptFile log_;
  std::string log_name_;
  std::uint64_t log_size_ = 0;
  std::vector<std::pair<std::string, Json>> notes_;  // what the next records have to tell first
};

}  // namespace handrail::engine

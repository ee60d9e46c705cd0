#include "engine/audit_tail.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "base/private_file.h"
#include "engine/audit_log.h"
#include "engine/audit_read.h"
#include "engine/audit_record.h"

namespace handrail::engine {
namespace {

Status write_whole(const KeptFile& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.fd(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return file_error("write", file.path(), n < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<std::string> read_from(const KeptFile& file, std::uint64_t from, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t got = 0;
  while (got < most) {
    const ssize_t n = ::pread(file.fd(), bytes.data() + got, most - got, static_cast<off_t>(from + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error("read", file.path(), errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  bytes.resize(got);
  return bytes;
}

// What a record adds to the head beside its place.
void count_in(AuditHead& head, std::string_view kind, const Json& body) {
  if (kind == kCheckpointKind) head.checkpoint = head.count;
  const auto counter = body.is_object() ? body.find("counter") : body.end();
  if (kind == kStateKind && counter != body.end() && counter->is_number_integer() && *counter >= 0) {
    head.state = std::max(head.state, counter->get<std::uint64_t>());
  }
}

}  // namespace

Status KeptFile::open(const std::string& path, int flags) {
  file_ = Fd(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  path_ = path;
  if (!file_.valid()) return file_error("open", path, errno);
  TRY(check_private_file(file_.get(), path));
  if (::fstat(file_.get(), &facts_) != 0) return file_error("look at", path, errno);
  return {};
}

bool KeptFile::current() const {
  struct stat named {};
  return file_.valid() && ::lstat(path_.c_str(), &named) == 0 && named.st_dev == facts_.st_dev &&
         named.st_ino == facts_.st_ino;
}

Result<std::uint64_t> KeptFile::size() const {
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0) return file_error("look at", path_, errno);
  return static_cast<std::uint64_t>(now.st_size);
}

AuditTail::AuditTail(std::string folder, std::string key_file, SigningKey key, Now now)
    : folder_(std::move(folder)),
      key_file_(std::move(key_file)),
      key_(std::move(key)),
      head_key_(audit_head_key(key_.secret)),
      now_(std::move(now)) {}

Status AuditTail::settle() {
  at_ = now_();
  TRY(read_head());
  if (head_.pending != 0) TRY(finish_pending());
  TRY(open_log());
  while (!notes_.empty()) {
    const auto [kind, body] = notes_.front();
    TRY(write(kind, body));
    notes_.erase(notes_.begin());
  }
  return {};
}

Status AuditTail::write(std::string_view kind, const Json& body) {
  const AuditLine line = audit_line(head_.count + 1, at_, kind, body, head_.hash);
  AuditHead started = head_;
  started.pending = line.text.size();
  started.pending_hash = line.hash;
  started.pending_file = log_name_;
  TRY(write_head(started));
  if (Status written = write_whole(log_, line.text); !written.ok()) {
    // When even this fails, the next writer finds the piece by what the head says.
    if (::ftruncate(log_.fd(), static_cast<off_t>(log_size_)) == 0) (void)write_head(head_);
    return written;
  }
  AuditHead done = head_;
  done.count += 1;
  done.hash = line.hash;
  done.file = log_name_;
  done.size = log_size_ + line.text.size();
  count_in(done, kind, body);
  if (Status told = write_head(done); !told.ok()) {
    head_bytes_.clear();
    return told;
  }
  head_ = std::move(done);
  log_size_ = head_.size;
  return {};
}

Status AuditTail::write_checkpoint() {
  TRY(write(kCheckpointKind, checkpoint_body(key_, head_.count, head_.hash)));
  if (::fdatasync(log_.fd()) != 0) return file_error("store", log_.path(), errno);
  if (::fdatasync(head_file_.fd()) != 0) return file_error("store", head_file_.path(), errno);
  KeptFile anchored;
  TRY(anchored.open(audit_anchor_file(key_file_), O_RDWR | O_CREAT));
  if (::pwrite(anchored.fd(), head_bytes_.data(), head_bytes_.size(), 0) != static_cast<ssize_t>(kHeadBytes)) {
    return file_error("write", anchored.path(), errno);
  }
  return {};
}

std::string AuditTail::todays_file() const {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at_);
  std::tm day{};
  ::gmtime_r(&seconds, &day);
  const std::string name =
      fmt::format("audit-{:04}-{:02}-{:02}.jsonl", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
  // A clock that was set back does not bring an older file to the end again.
  return is_audit_file(head_.file) ? std::max(name, head_.file) : name;
}

AuditHead AuditTail::anchor() const {
  const Result<std::string> bytes = read_private_file(audit_anchor_file(key_file_), kHeadBytes);
  return bytes.ok() ? audit_head(*bytes, head_key_).value_or(AuditHead{}) : AuditHead{};
}

Status AuditTail::read_head() {
  const bool first = head_bytes_.empty();
  if (!head_file_.current()) TRY(head_file_.open(audit_head_file(folder_), O_RDWR | O_CREAT));
  std::string bytes = TRY(read_from(head_file_, 0, kHeadBytes + 1));
  if (!first && bytes == head_bytes_) return {};
  const auto read = audit_head(bytes, head_key_);
  notes_.clear();
  head_bytes_ = std::move(bytes);
  if (!read) return recover_head("The head of the log was missing or damaged.");
  head_ = *read;
  if (first && anchor().count > head_.count) return recover_head("The log was put back to an older state.");
  return {};
}

Status AuditTail::write_head(const AuditHead& head) {
  std::string bytes = to_bytes(head, head_key_);
  const ssize_t n = ::pwrite(head_file_.fd(), bytes.data(), bytes.size(), 0);
  if (n != static_cast<ssize_t>(bytes.size())) {
    const int reason = n < 0 ? errno : ENOSPC;
    // Half a head is worse than the old one.
    if (n > 0 && static_cast<std::size_t>(n) <= head_bytes_.size()) {
      static_cast<void>(::pwrite(head_file_.fd(), head_bytes_.data(), static_cast<std::size_t>(n), 0));
    }
    // Whatever stands there now is read again before the next record.
    head_bytes_.clear();
    return file_error("write", head_file_.path(), reason);
  }
  head_bytes_ = std::move(bytes);
  return {};
}

// The best that is known without a head: the last record there is, or the anchor when that has seen a later one.
Status AuditTail::recover_head(const std::string& reason) {
  const std::vector<std::string> files = TRY(audit_files(folder_));
  AuditHead found;
  for (const std::string& name : files) {
    found.file = name;
    const auto take = [&found](const FileLine& line) {
      const auto record = read_line(line.text);
      if (!record || record->sequence < found.count) return true;
      found.count = record->sequence;
      found.hash = record->hash;
      if (record->kind != kStateKind) return true;
      if (const Result<Json> json = parse_json(line.text); json.ok()) count_in(found, kStateKind, *json);
      return true;
    };
    TRY(each_line(path(name), 0, kWholeFile, take));
    struct stat facts {};
    if (::stat(path(name).c_str(), &facts) == 0) found.size = static_cast<std::uint64_t>(facts.st_size);
  }
  const AuditHead known = anchor();
  if (known.count > found.count) {
    found.count = known.count;
    found.hash = known.hash;
  }
  found.state = std::max(found.state, known.state);
  head_ = found;
  if (found != AuditHead{}) note(kGapKind, {{"reason", reason}, {"records", found.count}});
  return {};
}

// Its writer ended in the middle. A whole record counts; a piece of one is taken back, and that is told.
Status AuditTail::finish_pending() {
  AuditHead next = head_;
  next.pending = 0;
  next.pending_hash = kNoHash;
  next.pending_file = "-";
  const std::uint64_t start = head_.pending_file == head_.file ? head_.size : 0;
  KeptFile file;
  const bool there = file.open(path(head_.pending_file), O_RDWR).ok();
  const std::string bytes = there ? TRY(read_from(file, start, static_cast<std::size_t>(head_.pending) + 1)) : "";
  const auto record = bytes.ends_with('\n') ? read_line(std::string_view(bytes).substr(0, bytes.size() - 1))
                                            : std::optional<ReadLine>();
  if (record && record->intact && record->hash == head_.pending_hash) {
    next.count += 1;
    next.hash = head_.pending_hash;
    next.file = head_.pending_file;
    next.size = start + bytes.size();
    const Result<Json> body = parse_json(std::string_view(bytes).substr(0, bytes.size() - 1));
    if (body.ok()) count_in(next, record->kind, *body);
  } else if (!bytes.empty() && bytes.size() < head_.pending) {
    if (::ftruncate(file.fd(), static_cast<off_t>(start)) != 0) return file_error("cut", file.path(), errno);
    note(kRepairKind, {{"reason", "A record was only half written when its writer ended."},
                       {"bytes", bytes.size()},
                       {"digest", sha256_hex(bytes)}});
  }
  head_ = next;
  return write_head(head_);
}

Status AuditTail::open_log() {
  const std::string name = todays_file();
  const bool goes_on = name == head_.file;
  const std::uint64_t expected = goes_on ? head_.size : 0;
  std::string wrong;
  if (name != log_name_ || !log_.current()) {
    const int flags = O_RDWR | O_APPEND;
    Status opened = log_.open(path(name), flags);
    if (!opened.ok()) {
      struct stat facts {};
      if (::lstat(path(name).c_str(), &facts) == 0 || errno != ENOENT) return opened;
      if (goes_on && expected > 0) wrong = "The file was taken away.";
      TRY(log_.open(path(name), flags | O_CREAT));
    }
    log_name_ = name;
  }
  log_size_ = TRY(log_.size());
  if (log_size_ == expected) return {};
  if (wrong.empty())
    wrong = log_size_ < expected ? "The end of the file was cut off." : "Something was added to the file.";
  // A broken line stays as it is, for people to look at; the next record starts a line of its own.
  if (log_size_ > 0 && TRY(read_from(log_, log_size_ - 1, 1)) != "\n") {
    TRY(write_whole(log_, "\n"));
    log_size_ += 1;
  }
  if (goes_on) head_.size = log_size_;
  note(kGapKind, {{"reason", wrong}, {"file", name}, {"records", head_.count}});
  return {};
}

}  // namespace handrail::engine

#include "platform/linux/lock_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>

#include "base/private_file.h"
#include "base/process.h"
#include "base/random_id.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMaxContent = 4096;
constexpr Millis kBetweenLooks{50};

std::string read_at_most(int fd, std::size_t most) {
  std::string text(most, '\0');
  const ssize_t n = ::pread(fd, text.data(), most, 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

std::string read_proc(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return "";
  std::string text(kMaxContent, '\0');
  const ssize_t n = ::read(file.get(), text.data(), text.size());
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

std::string boot_id() {
  std::string id = read_proc("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Status write_content(int fd, const std::string& path, const LockHolder& holder) {
  const std::string text = to_line(to_json(holder)) + "\n";
  if (::ftruncate(fd, 0) != 0) return file_error("write", path, errno);
  if (::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    return file_error("write", path, errno);
  }
  return {};
}

LockHolder ourselves(const std::string& session, std::uint64_t token) {
  const auto facts = process_facts(::getpid());
  return {session, facts ? facts->id : ProcessId{::getpid(), 0}, boot_id(), now_utc(), token};
}

// Titles and session names are others' text.
std::string plain(const std::string& text) {
  std::string shown;
  for (const char c : text.substr(0, 64)) shown += c >= 0x20 && c < 0x7f ? c : '?';
  return shown;
}

Error held_by(const LockHolder& other) {
  std::string who = "Another process controls this desktop";
  if (other.process.pid > 0) {
    who = fmt::format("Session {} (process {}) controls this desktop since {}", plain(other.session), other.process.pid,
                      plain(other.acquired_at));
  }
  return make_error(Code::busy, who + ".").with_hint("Wait until it is done, or end that session.");
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// Whether the kernel says that the process holds a lock on this very file. The content is only a hint: whoever can
// write the file could name a stopped process in it that holds nothing.
bool holds_lock_on(pid_t pid, const struct stat& file) {
  const std::string base = fmt::format("/proc/{}", pid);
  const std::unique_ptr<DIR, CloseFolder> open(::opendir((base + "/fd").c_str()));
  if (!open) return false;
  while (const dirent* entry = ::readdir(open.get())) {
    struct stat facts {};
    if (::stat(fmt::format("{}/fd/{}", base, entry->d_name).c_str(), &facts) != 0) continue;
    if (facts.st_dev != file.st_dev || facts.st_ino != file.st_ino) continue;
    if (read_proc(fmt::format("{}/fdinfo/{}", base, entry->d_name)).find("OFDLCK") != std::string::npos) return true;
  }
  return false;
}

bool is_stopped(const LockHolder& holder) {
  const auto facts = process_facts(holder.process.pid);
  return facts && facts->id == holder.process && (facts->state == 'T' || facts->state == 't');
}

}  // namespace

Json to_json(const LockHolder& holder) {
  return {{"sessionId", holder.session}, {"pid", holder.process.pid},        {"started", holder.process.start_time},
          {"boot", holder.boot},         {"acquiredAt", holder.acquired_at}, {"token", holder.token}};
}

LockHolder lock_holder(std::string_view content) {
  LockHolder holder;
  const Result<Json> json = parse_json(content);
  if (!json.ok() || !json->is_object()) return holder;
  const auto number = [&json](const char* name, std::uint64_t most) -> std::uint64_t {
    const auto found = json->find(name);
    if (found == json->end() || !found->is_number_integer() || *found < 0) return 0;
    const auto value = found->get<std::uint64_t>();
    return value <= most ? value : 0;
  };
  const auto text = [&json](const char* name) {
    const auto found = json->find(name);
    return found != json->end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  holder.session = text("sessionId");
  holder.process.pid = static_cast<pid_t>(number("pid", 1U << 22));
  holder.process.start_time = number("started", UINT64_MAX);
  holder.boot = text("boot");
  holder.acquired_at = text("acquiredAt");
  holder.token = number("token", UINT64_MAX / 2);
  return holder;
}

std::string lock_file_path(const std::string& folder, const std::string& display) {
  const std::size_t colon = display.rfind(':');
  const std::size_t screen = colon == std::string::npos ? std::string::npos : display.find('.', colon);
  std::string name = display.substr(0, screen);
  if (name.starts_with(':')) name.erase(0, 1);
  for (char& c : name) {
    const bool plain_character = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!plain_character) c = '_';
  }
  return fmt::format("{}/lock-{}", folder, name);
}

LockFile::LockFile(std::string path, Millis stopped_for) : path_(std::move(path)), stopped_for_(stopped_for) {}

LockFile::~LockFile() { release(); }

bool LockFile::is_path(const Held& held) const {
  struct stat named {};
  return held.file.valid() && ::lstat(path_.c_str(), &named) == 0 && named.st_dev == held.device &&
         named.st_ino == held.inode;
}

Status LockFile::check() const {
  const std::lock_guard lock(mutex_);
  if (is_path(held_)) return {};
  return make_error(Code::busy, held_.file.valid() ? "Another session has taken this desktop over."
                                                   : "This session does not hold the desktop.")
      .with_hint("Take a new look at the desktop before acting again.");
}

std::uint64_t LockFile::token() const {
  const std::lock_guard lock(mutex_);
  return held_.token;
}

void LockFile::release() noexcept {
  const std::lock_guard lock(mutex_);
  if (is_path(held_)) {
    // The count goes on.
    LockHolder nobodys;
    nobodys.token = held_.token;
    (void)write_content(held_.file.get(), path_, nobodys);
  }
  held_ = {};
}

Status LockFile::keep(Fd file, std::uint64_t token) {
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return file_error("look at", path_, errno);
  const std::lock_guard lock(mutex_);
  held_ = {std::move(file), facts.st_dev, facts.st_ino, token};
  return {};
}

Status LockFile::take(const std::string& session, Deadline deadline) {
  if (check().ok()) return {};
  release();
  for (;;) {
    LockHolder other;
    if (TRY(try_take(session, other))) return {};
    if (!is_stopped(other) || deadline.passed()) return held_by(other);
    if (TRY(take_over(session, other, deadline))) return {};
  }
}

// False when another one holds it; `other` is what that wrote of itself.
Result<bool> LockFile::try_take(const std::string& session, LockHolder& other) {
  for (;;) {
    Fd file(::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!file.valid()) return file_error("open", path_, errno);
    TRY(check_private_file(file.get(), path_));
    const bool locked = try_lock_file(file.get());
    other = lock_holder(read_at_most(file.get(), kMaxContent));
    if (!locked) return false;
    struct stat held {};
    if (::fstat(file.get(), &held) != 0) return file_error("look at", path_, errno);
    // Under another name it is a file of the person's, which must not be written to.
    if (held.st_nlink > 1) {
      return make_error(Code::permission_missing, fmt::format("The lock file {} has a second name.", path_))
          .with_hint("Remove that file and call again.");
    }
    // Replaced between open and lock: then the lock is worth nothing.
    struct stat named {};
    if (::lstat(path_.c_str(), &named) != 0 || named.st_ino != held.st_ino || named.st_dev != held.st_dev) continue;
    TRY(write_content(file.get(), path_, ourselves(session, other.token + 1)));
    TRY(keep(std::move(file), other.token + 1));
    return true;
  }
}

// Watches a holder that is stopped; when it stays so, puts a new file in the place of its own. False when anything
// changed meanwhile.
Result<bool> LockFile::take_over(const std::string& session, const LockHolder& other, Deadline deadline) {
  struct stat before {};
  if (::lstat(path_.c_str(), &before) != 0) return false;
  const Result<Fd> alive = open_pidfd(other.process.pid);
  if (!alive.ok()) return false;
  if (other.boot != boot_id() || !holds_lock_on(other.process.pid, before)) return held_by(other);
  const Deadline seen = Deadline::in(stopped_for_);
  while (!seen.passed()) {
    pollfd ended{alive->get(), POLLIN, 0};
    const Millis wait = std::min(kBetweenLooks, seen.left());
    if (::poll(&ended, 1, static_cast<int>(wait.count())) > 0) return false;
    if (!is_stopped(other)) return false;
    if (deadline.passed()) return held_by(other);
  }
  // One at a time, so that two that watched the same holder do not both put a file there.
  FileLock mutex = TRY(FileLock::open(path_ + ".takeover"));
  TRY(mutex.lock(deadline));
  struct stat now {};
  const bool same = ::lstat(path_.c_str(), &now) == 0 && now.st_ino == before.st_ino && now.st_dev == before.st_dev;
  if (!same || !is_stopped(other) || !holds_lock_on(other.process.pid, now)) return false;
  const std::string draft = fmt::format("{}.{}", path_, random_id("new-"));
  Fd file(::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return file_error("make", draft, errno);
  Status written = write_content(file.get(), draft, ourselves(session, other.token + 1));
  if (!written.ok() || !try_lock_file(file.get()) || ::rename(draft.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    ::unlink(draft.c_str());
    return written.ok() ? file_error("replace", path_, reason) : written.error();
  }
  TRY(keep(std::move(file), other.token + 1));
  return true;
}

}  // namespace handrail::linux_

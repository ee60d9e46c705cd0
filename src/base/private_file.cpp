#include "base/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/digest.h"
#include "base/random_id.h"

namespace handrail {
namespace {

constexpr std::size_t kSecretBytes = 32;

Error not_private(const std::string& path) {
  return make_error(Code::permission_missing, fmt::format("{} is not private to this user.", path))
      .with_hint(fmt::format("Make it your own and closed to others, or take it away: {}", path));
}

Status write_all(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error("write", path, errno);
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Status sync_folder(const std::string& path) {
  const Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid() || ::fsync(folder.get()) != 0) return file_error("store the folder", path, errno);
  return {};
}

// Written and on disk under a name of its own; taken away again unless it is kept.
class Draft {
 public:
  explicit Draft(const std::string& path) : path_(fmt::format("{}.{}", path, random_id("new-"))) {}
  ~Draft() { ::unlink(path_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  Status write(std::string_view content) {
    const Fd file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.valid()) return file_error("make", path_, errno);
    TRY(write_all(file.get(), content, path_));
    if (::fsync(file.get()) != 0) return file_error("store", path_, errno);
    return {};
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Error file_error(std::string_view what, const std::string& path, int reason) {
  return make_error(Code::io_error, fmt::format("Cannot {} {}: {}.", what, path, std::strerror(reason)));
}

Status ensure_private_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return file_error("make the folder", path, errno);
  const Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) return file_error("open the folder", path, errno);
  struct stat facts {};
  if (::fstat(folder.get(), &facts) != 0) return file_error("look at", path, errno);
  if (facts.st_uid != ::geteuid() || (facts.st_mode & 077U) != 0) return not_private(path);
  return {};
}

Status ensure_private_folders(const std::string& parent, const std::string& path) {
  for (std::size_t slash = parent.find('/', 1);; slash = parent.find('/', slash + 1)) {
    const std::string above = parent.substr(0, slash);
    if (::mkdir(above.c_str(), 0700) != 0 && errno != EEXIST) return file_error("make the folder", above, errno);
    if (slash == std::string::npos) break;
  }
  return ensure_private_folder(path);
}

Status check_private_file(int fd, const std::string& path) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return file_error("look at", path, errno);
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid() || (facts.st_mode & 077U) != 0) return not_private(path);
  return {};
}

Result<std::string> read_private_file(const std::string& path, std::size_t max_bytes) {
  // Not blocking: a pipe in its place must not stop us.
  const Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) {
    if (errno == ENOENT) return make_error(Code::not_found, fmt::format("There is no {}.", path));
    return file_error("open", path, errno);
  }
  TRY(check_private_file(file.get(), path));
  std::string text;
  char buffer[8192];
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error("read", path, errno);
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > max_bytes) {
      return make_error(Code::too_large, fmt::format("{} is larger than {} bytes.", path, max_bytes));
    }
  }
}

Status replace_private_file(const std::string& path, std::string_view content) {
  Draft draft(path);
  TRY(draft.write(content));
  if (::rename(draft.path().c_str(), path.c_str()) != 0) return file_error("replace", path, errno);
  return sync_folder(folder_of(path));
}

Result<std::string> secret_of_file(const std::string& path) {
  Result<std::string> secret = read_private_file(path, kSecretBytes);
  if (!secret.ok() && secret.error().code == Code::not_found) {
    Draft draft(path);
    TRY(draft.write(random_bytes(kSecretBytes)));
    // A link never replaces the one that somebody else made in the meantime.
    if (::link(draft.path().c_str(), path.c_str()) != 0 && errno != EEXIST) return file_error("make", path, errno);
    TRY(sync_folder(folder_of(path)));
    secret = read_private_file(path, kSecretBytes);
  }
  if (secret.ok() && secret->size() != kSecretBytes) {
    return make_error(Code::io_error, fmt::format("{} does not hold a key.", path))
        .with_hint("Put it back from a copy, or take it away: a new one is made then.");
  }
  return secret;
}

bool try_lock_file(int fd) noexcept {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

void unlock_file(int fd) noexcept {
  struct flock whole {};
  whole.l_type = F_UNLCK;
  whole.l_whence = SEEK_SET;
  ::fcntl(fd, F_OFD_SETLK, &whole);
}

Result<FileLock> FileLock::open(std::string path) {
  FileLock lock(std::move(path));
  TRY(lock.reopen());
  return lock;
}

Status FileLock::reopen() {
  file_ = Fd(::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!file_.valid()) return file_error("open", path_, errno);
  TRY(check_private_file(file_.get(), path_));
  struct stat facts {};
  if (::fstat(file_.get(), &facts) != 0) return file_error("look at", path_, errno);
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
  return {};
}

bool FileLock::current() const {
  struct stat named {};
  return ::lstat(path_.c_str(), &named) == 0 && named.st_dev == device_ && named.st_ino == inode_;
}

Status FileLock::lock(Deadline deadline) {
  // The kernel has no such lock with a time limit, and its holder may have been stopped. Holders need microseconds.
  auto pause = std::chrono::microseconds(20);
  for (;;) {
    if (!file_.valid()) TRY(reopen());
    if (try_lock_file(file_.get())) {
      if (current()) return {};
      file_.reset();
      continue;
    }
    const int reason = errno;
    if (reason != EAGAIN && reason != EACCES && reason != EINTR) return file_error("lock", path_, reason);
    if (deadline.passed()) {
      return make_error(Code::busy, fmt::format("Another process holds {} and does not let go.", path_));
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
}

void FileLock::unlock() noexcept {
  if (file_.valid()) unlock_file(file_.get());
}

}  // namespace handrail

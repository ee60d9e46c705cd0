// Lets one system call of the program that it is loaded into fail: FIXTURE_FAULT="CALL ERRNO N", the Nth call of a kind
// with that error number. Kinds: open, read, write, sync, truncate and rename of the program's own files, and poll. A
// `short` write takes half of what it is given. FIXTURE_FAULT_LOG is made when it happens.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Fault {
  char kind[16] = {};
  int error = 0;
  int at = 0;
};

const Fault& fault() {
  static const Fault asked = [] {
    Fault one;
    const char* text = std::getenv("FIXTURE_FAULT");
    if (text == nullptr || std::sscanf(text, "%15s %d %d", one.kind, &one.error, &one.at) != 3) one.at = 0;
    return one;
  }();
  return asked;
}

// Whether this call of the kind is the one.
bool is_time(const char* kind) {
  static std::atomic<int> calls{0};
  if (fault().at == 0 || std::strcmp(fault().kind, kind) != 0) return false;
  if (++calls != fault().at) return false;
  if (const char* log = std::getenv("FIXTURE_FAULT_LOG"); log != nullptr) {
    const long file = ::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) ::syscall(SYS_close, file);
  }
  return true;
}

bool fails(const char* kind) {
  if (!is_time(kind)) return false;
  errno = fault().error;
  return true;
}

bool is_file(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

bool is_own(const char* path) { return path != nullptr && std::strstr(path, "/handrail/") != nullptr; }

int opened(int folder, const char* path, int flags, mode_t mode) {
  if (is_own(path) && fails("open")) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opened(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opened(folder, path, flags, mode);
}

ssize_t read(int fd, void* to, size_t size) {
  if (is_file(fd) && fails("read")) return -1;
  return ::syscall(SYS_read, fd, to, size);
}

ssize_t pread(int fd, void* to, size_t size, off_t at) {
  if (is_file(fd) && fails("read")) return -1;
  return ::syscall(SYS_pread64, fd, to, size, at);
}

ssize_t write(int fd, const void* from, size_t size) {
  const bool counts = is_file(fd);
  if (counts && fails("write")) return -1;
  return ::syscall(SYS_write, fd, from, counts && size > 1 && is_time("short") ? size / 2 : size);
}

ssize_t pwrite(int fd, const void* from, size_t size, off_t at) {
  const bool counts = is_file(fd);
  if (counts && fails("write")) return -1;
  return ::syscall(SYS_pwrite64, fd, from, counts && size > 1 && is_time("short") ? size / 2 : size, at);
}

int fsync(int fd) { return fails("sync") ? -1 : static_cast<int>(::syscall(SYS_fsync, fd)); }

int fdatasync(int fd) { return fails("sync") ? -1 : static_cast<int>(::syscall(SYS_fdatasync, fd)); }

int ftruncate(int fd, off_t size) noexcept {
  return fails("truncate") ? -1 : static_cast<int>(::syscall(SYS_ftruncate, fd, size));
}

int rename(const char* from, const char* to) noexcept {
  if (is_own(to) && fails("rename")) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int poll(pollfd* waits, nfds_t count, int patience) {
  if (fails("poll")) return -1;
  timespec time{patience / 1000, patience % 1000 * 1'000'000L};
  return static_cast<int>(::syscall(SYS_ppoll, waits, count, patience < 0 ? nullptr : &time, nullptr, 0));
}
}

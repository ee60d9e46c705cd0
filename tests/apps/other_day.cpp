// Shifts the date of the program that it is loaded into, by FIXTURE_DAYS days and by the seconds that stand in the file
// FIXTURE_CLOCK at that moment; other clocks stay as they are.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

long seconds_in_file() {
  const char* path = std::getenv("FIXTURE_CLOCK");
  if (path == nullptr) return 0;
  const int file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
  char text[32] = {};
  if (file < 0) return 0;
  const long size = ::syscall(SYS_read, file, text, sizeof text - 1);
  ::syscall(SYS_close, file);
  return size > 0 ? std::atol(text) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const int done = static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  if (done != 0 || clock != CLOCK_REALTIME) return done;
  if (const char* days = std::getenv("FIXTURE_DAYS"); days != nullptr) now->tv_sec += std::atol(days) * 86400;
  now->tv_sec += seconds_in_file();
  return done;
}

// Shifts the date of the program that it is loaded into by FIXTURE_DAYS days; other clocks stay as they are.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const int done = static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  const char* days = std::getenv("FIXTURE_DAYS");
  if (done == 0 && clock == CLOCK_REALTIME && days != nullptr) now->tv_sec += std::atol(days) * 86400;
  return done;
}

#include "base/signals.h"

#include <sys/signalfd.h>

#include <csignal>

namespace handrail {

TerminationSignals::TerminationSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A client that goes away is an ordinary end of a write, not of the program.
  std::signal(SIGPIPE, SIG_IGN);
  fd_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace handrail

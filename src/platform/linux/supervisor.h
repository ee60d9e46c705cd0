// The two processes behind an embedded desktop. The supervisor starts the parts, runs programs on request
// and ends the desktop when it is told to, when its owner goes, or when the X server dies. Above
// it, the keeper only waits: whatever the supervisor left behind, however it died, the keeper ends it and
// takes the files away.
#pragma once

#include "platform/linux/desktop_session.h"

namespace handrail::linux_ {

// The descriptors that the starting process hands over.
inline constexpr int kReportFd = 3;  // one line of JSON: the desktop, or the error
inline constexpr int kLockFd = 4;    // the held NameLock
inline constexpr int kOwnerFd = 5;   // when owned: end of file ends the desktop

// The whole life of `handrail desktop supervise`: reads the request from standard input, goes into the
// background, returns the exit code when the desktop has ended. Call it before any thread is started.
int supervise(const DefineMonitors& define_monitors);

}  // namespace handrail::linux_

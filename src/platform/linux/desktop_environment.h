// The environments that programs are started with: nothing of the caller's but what is listed here.
#pragma once

#include "platform/linux/desktop_record.h"

namespace handrail::linux_ {

// The person's variables that an embedded desktop passes on: who they are, and their folders when the
// home is shared.
Environment embedded_base(const Environment& own, const std::string& home, DesktopHome kind);

// What is known before the X server and the bus run; they themselves are started with this.
Environment embedded_environment(const SuperviseRequest& request);

// A real session's environment without what could steer a program: only names that sessions need.
Environment scrubbed_environment(const Environment& own);

}  // namespace handrail::linux_

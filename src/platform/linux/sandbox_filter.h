// What programs in the sandbox cannot ask the kernel for, as a seccomp filter: sockets of this machine's own kind,
// which lead out of it by a file in a granted folder or by a name that the network shares, and the few calls that go
// round a filter or ask for the user's keys. Pure.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace handrail::linux_ {

// For `bwrap --seccomp`; empty on a processor that it was not written for.
std::vector<sock_filter> sandbox_filter();

}  // namespace handrail::linux_

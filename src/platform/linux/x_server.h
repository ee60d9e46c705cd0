// What starting an X server of our own needs besides the process: its access cookie, and knowing that a
// window manager has taken over. Nothing here draws, captures or sends input.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {

// Sixteen random bytes, the secret of one server.
std::string make_cookie();
// An Xauthority file with the cookie for any display: the number is not known before the server runs.
Status write_xauthority(const std::string& path, const std::string& cookie);

// Returns when a window manager manages the display: `_NET_SUPPORTING_WM_CHECK` names a window that names
// itself, and a first window of ours was shown and forgotten. `manager_pidfd` tells early that it never will.
Status wait_for_window_manager(const std::string& display, const std::string& cookie, int manager_pidfd,
                               Deadline deadline);

// The lock file and socket that a killed server left behind. Those of any other server stay.
void remove_server_files(const std::string& display, const ProcessId& server);

}  // namespace handrail::linux_

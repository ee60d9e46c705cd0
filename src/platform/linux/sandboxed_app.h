// The names of sandboxed apps, from what the sandbox left in the process's file system and control group.
#pragma once

#include <string>
#include <string_view>

namespace handrail::linux_ {

// The application's id in the text of a /.flatpak-info; empty when there is none.
std::string flatpak_id(std::string_view info);
// "snap" or "snap_app" from the control group, else from the executable's path; empty for other programs.
std::string snap_id(std::string_view cgroup, std::string_view executable);
// The path of the unified group in the text of a /proc/PID/cgroup.
std::string cgroup_path(std::string_view text);

}  // namespace handrail::linux_

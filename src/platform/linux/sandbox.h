// The sandbox that programs of an agent run in: bubblewrap's arguments. Pure, but for asking which folders exist.
#pragma once

#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "model/program.h"
#include "platform/linux/files.h"

namespace handrail::linux_ {

enum class Network { none, shared };

// What the sandbox finds programs on.
inline constexpr const char* kSandboxPath = "/usr/local/bin:/usr/bin:/bin";

// The folder to start in: below a granted root, or /tmp when there is none.
Result<std::string> folder_to_run_in(const std::string& cwd, const FileReach& reach);

// Descriptors in the child: where bwrap tells which process is its first one, what that one waits for, and what it may
// not ask the kernel for.
inline constexpr int kSandboxReportFd = 3;
inline constexpr int kSandboxStartFd = 4;
inline constexpr int kSandboxFilterFd = 5;

// bwrap's words up to the program's own. The system can be read, granted folders as they are granted; sockets of the
// desktop, the network, other processes and Handrail's folders are not there.
std::vector<std::string> sandbox_words(const FileReach& reach, const std::string& folder, Network network);

// Nothing of ours but who the user is, and what was asked for.
Environment sandbox_environment(const RunProgram& program, const FileReach& reach);

}  // namespace handrail::linux_

// Processes of this user, and whether programs can be run. Running them is in program_run.cpp.
#include "platform/linux/programs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/process.h"
#include "platform/linux/process_table.h"

namespace handrail::linux_ {
namespace {

constexpr Millis kGrace{800};

bool is_ours(pid_t pid) {
  struct stat facts {};
  return ::stat(fmt::format("/proc/{}", pid).c_str(), &facts) == 0 && facts.st_uid == ::geteuid();
}

// The kernel's limit, where it has one: 0 forbids all.
bool forbidden_by(const char* path) {
  std::ifstream file(path);
  long limit = 1;
  return file >> limit && limit == 0;
}

ProcessInfo told(const ProcessFacts& facts) {
  ProcessInfo info;
  info.pid = facts.id.pid;
  info.started = facts.id.start_time;
  info.executable = executable_of(facts.id.pid);
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", info.pid)) >> std::ws, info.name);
  long pages = 0, resident = 0;
  if (std::ifstream memory(fmt::format("/proc/{}/statm", info.pid)); memory >> pages >> resident) {
    info.memory_kb = resident * (::sysconf(_SC_PAGESIZE) / 1024);
  }
  std::string stat;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", info.pid)), stat);
  long user = 0, system = 0;
  const std::size_t name_end = stat.rfind(')');
  if (name_end != std::string::npos &&
      std::sscanf(stat.c_str() + name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user,
                  &system) == 2) {
    info.cpu_seconds = static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  return info;
}

}  // namespace

std::string LinuxPrograms::missing(std::string* fix) {
  if (::access(settings_.bwrap.c_str(), X_OK) != 0) {
    *fix = "Install the package bubblewrap.";
    return "the sandbox (bubblewrap)";
  }
  const bool privileged = ::geteuid() == 0;
  if (!privileged && (forbidden_by("/proc/sys/user/max_user_namespaces") ||
                      forbidden_by("/proc/sys/kernel/unprivileged_userns_clone"))) {
    *fix = "Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 and user.max_user_namespaces=10000.";
    return "user namespaces for the sandbox";
  }
  return "";
}

bool LinuxPrograms::is_here(std::int64_t pid) const {
  return settings_.scope.empty() || started_with(static_cast<pid_t>(pid), settings_.scope);
}

Result<std::vector<ProcessInfo>> LinuxPrograms::processes(Deadline deadline) {
  std::vector<ProcessInfo> all;
  for (const ProcessFacts& facts : all_processes()) {
    if (facts.state == 'Z' || !is_ours(facts.id.pid) || !is_here(facts.id.pid)) continue;
    if (deadline.passed()) return make_error(Code::timeout, "Looking at the processes took too long.");
    all.push_back(told(facts));
  }
  std::ranges::sort(all, {}, &ProcessInfo::pid);
  return all;
}

Result<ProcessInfo> LinuxPrograms::process(std::int64_t pid) {
  const auto facts = process_facts(static_cast<pid_t>(pid));
  if (!facts || facts->state == 'Z') {
    return make_error(Code::not_found, fmt::format("There is no process {}.", pid))
        .with_hint("Call list_processes for those that run.");
  }
  if (!is_ours(facts->id.pid)) {
    return make_error(Code::access_denied, fmt::format("Process {} belongs to another user.", pid))
        .with_hint("Only processes of granted apps can be ended.");
  }
  if (!is_here(facts->id.pid)) {
    return make_error(Code::access_denied, fmt::format("Process {} is not of this desktop.", pid))
        .with_hint("Call list_processes for those that are.");
  }
  return told(*facts);
}

Result<bool> LinuxPrograms::end(const EndProcess& end, Permit, Deadline deadline) {
  const ProcessId id{static_cast<pid_t>(end.pid), end.started};
  // The handle first: once it is known to mean the right process, it always will.
  const Fd handle = TRY(open_pidfd(id.pid));
  const bool here = is_here(end.pid);
  if (!is_alive(id)) {
    return make_error(Code::target_stale,
                      fmt::format("Process {} has ended, and its number may mean another.", end.pid))
        .with_hint("Call list_processes again.");
  }
  if (!here) return make_error(Code::access_denied, fmt::format("Process {} is not of this desktop.", end.pid));
  auto ended = end_by_pidfd(handle.get(), kGrace, deadline);
  if (!ended.ok() && ended.error().code == Code::timeout) {
    return make_error(Code::timeout, fmt::format("Process {} was killed, and is not gone yet.", end.pid))
        .with_side_effects(SideEffects::possible);
  }
  return ended;
}

}  // namespace handrail::linux_

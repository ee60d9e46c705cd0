#include "platform/linux/identity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

#include "base/fd.h"
#include "platform/linux/process_table.h"
#include "platform/linux/running_script.h"
#include "platform/linux/sandboxed_app.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMaxFile = 64 * 1024;
constexpr std::string_view kDeleted = " (deleted)";

std::string proc_path(std::int64_t pid, std::string_view name) { return fmt::format("/proc/{}/{}", pid, name); }

std::string read_file(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string text;
  char buffer[4096];
  while (file.valid() && text.size() < kMaxFile) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

std::string link_target(const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t n = ::readlink(path.c_str(), target.data(), target.size());
  target.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return target;
}

enum class Namespaces { ours, others, unknown };

Namespaces namespaces_of(std::int64_t pid) {
  for (const std::string_view kind : {"ns/pid", "ns/mnt"}) {
    const FileId theirs = file_id(proc_path(pid, kind));
    const FileId ours = file_id(fmt::format("/proc/self/{}", kind));
    if (!theirs.known() || !ours.known()) return Namespaces::unknown;
    if (theirs.device != ours.device || theirs.inode != ours.inode) return Namespaces::others;
  }
  return Namespaces::ours;
}

bool has_ended(int pidfd) {
  pollfd wait{pidfd, POLLIN, 0};
  return ::poll(&wait, 1, 0) != 0;
}

std::vector<std::string> words_of(const std::string& cmdline) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start < cmdline.size();) {
    const std::size_t end = std::min(cmdline.find('\0', start), cmdline.size());
    words.push_back(cmdline.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

}  // namespace

FileId file_id(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {info.st_dev, info.st_ino,
          static_cast<std::int64_t>(info.st_ctim.tv_sec) * 1'000'000'000 + info.st_ctim.tv_nsec};
}

Identities::Identities(Environment desktop_environment)
    : named_(std::move(desktop_environment)), own_(file_id("/proc/self/exe")) {}

AppIdentity Identities::identify(std::int64_t pid) {
  if (pid <= 0 || pid > INT_MAX) return {};
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.find(pid);
  if (found != kept_.end() && !has_ended(found->second.handle.get())) {
    // A process may have become another program without becoming another process.
    const Kept& kept = found->second;
    const bool same_file = kept.running == file_id(proc_path(pid, "exe"));
    const bool same_script = kept.arguments.empty() || kept.arguments == read_file(proc_path(pid, "cmdline"));
    if (same_file && same_script) return kept.identity;
  }
  Kept kept;
  AppIdentity identity = fresh(pid, kept);
  if (found != kept_.end()) {
    kept_.erase(found);
    order_.remove(pid);
  }
  if (!identity.known()) return identity;
  kept.identity = identity;
  kept_.emplace(pid, std::move(kept));
  order_.push_back(pid);
  if (order_.size() > kMaxKept) {
    kept_.erase(order_.front());
    order_.pop_front();
  }
  return identity;
}

AppIdentity Identities::fresh(std::int64_t pid, Kept& kept) {
  Result<Fd> handle = open_pidfd(static_cast<pid_t>(pid));
  if (!handle.ok()) return {};
  const auto facts = process_facts(static_cast<pid_t>(pid));
  if (!facts || facts->state == 'Z') return {};
  const std::uint64_t started = facts->id.start_time;
  AppIdentity unknown;
  unknown.pid = pid;
  unknown.started = started;

  AppIdentity identity = unknown;
  const std::string exe = proc_path(pid, "exe");
  identity.file = file_id(exe);
  kept.running = identity.file;
  identity.executable = link_target(exe);
  if (identity.executable.ends_with(kDeleted)) {
    identity.executable.resize(identity.executable.size() - kDeleted.size());
    identity.replaced = true;
  }
  if (!identity.file.known() || !identity.executable.starts_with('/')) return unknown;
  // Its own root: a sandboxed app's path means nothing in ours.
  if (file_id(proc_path(pid, "root") + identity.executable) != identity.file) identity.replaced = true;

  identity.cgroup = cgroup_path(read_file(proc_path(pid, "cgroup")));
  const Namespaces namespaces = namespaces_of(pid);
  if (namespaces == Namespaces::others) {
    identity.flatpak = flatpak_id(read_file(proc_path(pid, "root/.flatpak-info")));
    identity.snap = snap_id(identity.cgroup, identity.executable);
  } else if (namespaces == Namespaces::ours) {
    identity.snap = snap_id("", identity.executable);
  }
  const bool placed = namespaces == Namespaces::ours || !identity.flatpak.empty() || !identity.snap.empty();
  identity.own = identity.file == own_;

  if (runs_scripts(identity.executable)) {
    kept.arguments = read_file(proc_path(pid, "cmdline"));
    identity.script = script_of(identity.executable, words_of(kept.arguments), link_target(proc_path(pid, "cwd")));
  }
  identity.desktop_id =
      namespaces == Namespaces::ours ? named_.desktop_id(identity.executable, identity.script) : identity.flatpak;

  // Everything above was of one process and one program, or it counts for nothing.
  const auto after = process_facts(static_cast<pid_t>(pid));
  const bool same =
      after && after->id.start_time == started && !has_ended(handle->get()) && file_id(exe) == identity.file;
  if (!same) return unknown;
  if (!placed) {
    unknown.executable = identity.executable;
    unknown.own = identity.own;
    return unknown;
  }
  kept.handle = std::move(*handle);
  return identity;
}

std::function<AppIdentity(std::int64_t pid)> identify_with(std::shared_ptr<Identities> identities) {
  return [identities = std::move(identities)](std::int64_t pid) { return identities->identify(pid); };
}

}  // namespace handrail::linux_

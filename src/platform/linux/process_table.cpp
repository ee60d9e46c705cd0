#include "platform/linux/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <csignal>
#include <memory>

#include "base/process.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMaxProcFile = 1 << 20;

std::string read_proc(pid_t pid, const char* name) {
  const Fd file(::open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  while (file.valid() && text.size() < kMaxProcFile) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n <= 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

template <class T>
T number_at(const std::vector<std::string_view>& words, std::size_t index) {
  T value{};
  if (index < words.size()) std::from_chars(words[index].data(), words[index].data() + words[index].size(), value);
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// A handle on exactly that process, not on one that got its number since.
Fd handle_of(const ProcessId& id) {
  Result<Fd> handle = open_pidfd(id.pid);
  if (!handle.ok() || !is_alive(id)) return Fd();
  return std::move(*handle);
}

// Until every handle is readable, which means ended.
void wait_all(std::vector<Fd>& handles, Deadline deadline) {
  while (!handles.empty()) {
    std::vector<pollfd> waits;
    for (const Fd& handle : handles) waits.push_back({handle.get(), POLLIN, 0});
    if (::poll(waits.data(), waits.size(), static_cast<int>(deadline.left().count())) <= 0) return;
    std::vector<Fd> left;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      if (waits[i].revents == 0) left.push_back(std::move(handles[i]));
    }
    handles = std::move(left);
  }
}

// The second field is the program's name in parentheses and may hold anything, parentheses too.
std::string_view behind_name(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  return name_end == std::string_view::npos || name_end + 2 >= stat.size() ? std::string_view()
                                                                           : stat.substr(name_end + 2);
}

}  // namespace

std::optional<ProcessFacts> process_facts(pid_t pid) {
  const std::string stat = read_proc(pid, "stat");
  const auto words = split(behind_name(stat), ' ');
  if (words.size() < 20 || words[0].empty()) return {};
  return ProcessFacts{
      {pid, number_at<std::uint64_t>(words, 19)}, number_at<pid_t>(words, 1), number_at<pid_t>(words, 3), words[0][0]};
}

Fd open_state(pid_t pid) { return Fd(::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC)); }

std::optional<char> state_now(const Fd& state) {
  std::array<char, 512> text;
  const auto size = ::pread(state.get(), text.data(), text.size(), 0);
  if (size <= 0) return {};
  const std::string_view rest = behind_name({text.data(), static_cast<std::size_t>(size)});
  return rest.empty() ? std::nullopt : std::optional(rest[0]);
}

bool is_alive(const ProcessId& id) {
  const auto facts = process_facts(id.pid);
  return facts && facts->id == id && facts->state != 'Z';
}

std::vector<ProcessFacts> all_processes() {
  std::vector<ProcessFacts> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
  while (proc) {
    const dirent* entry = ::readdir(proc.get());
    if (!entry) break;
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc()) continue;
    if (const auto facts = process_facts(pid)) all.push_back(*facts);
  }
  return all;
}

std::vector<ProcessId> descendants(pid_t ancestor) {
  const std::vector<ProcessFacts> all = all_processes();
  std::vector<pid_t> family{ancestor};
  std::vector<ProcessId> found;
  for (std::size_t i = 0; i < family.size(); ++i) {
    for (const ProcessFacts& facts : all) {
      if (facts.parent != family[i] || std::ranges::find(family, facts.id.pid) != family.end()) continue;
      family.push_back(facts.id.pid);
      if (facts.state != 'Z') found.push_back(facts.id);
    }
  }
  return found;
}

bool is_chromium(pid_t pid) {
  return std::ranges::any_of(all_processes(), [&](const ProcessFacts& each) {
    if (each.parent != pid) return false;
    const auto arguments = arguments_of(each.id.pid);
    return std::ranges::any_of(arguments, [](const std::string& word) { return word.starts_with("--type="); });
  });
}

bool is_ancestor(pid_t ancestor, pid_t process) {
  if (ancestor <= 1) return false;
  // A parent may end and its number be given away meanwhile; a chain has an end all the same.
  constexpr int kDeepest = 256;
  for (int depth = 0; depth < kDeepest && process > 1; ++depth) {
    const auto facts = process_facts(process);
    if (!facts) return false;
    if (facts->parent == ancestor) return true;
    process = facts->parent;
  }
  return false;
}

bool started_with(pid_t pid, const std::string& entry) {
  const std::string environment = read_proc(pid, "environ");
  return std::ranges::any_of(split(environment, '\0'), [&](std::string_view given) { return given == entry; });
}

std::vector<ProcessId> processes_started_with(const std::string& entry) {
  std::vector<ProcessId> found;
  for (const ProcessFacts& facts : all_processes()) {
    if (facts.state != 'Z' && started_with(facts.id.pid, entry)) found.push_back(facts.id);
  }
  return found;
}

std::string executable_of(pid_t pid) {
  std::string target(PATH_MAX, '\0');
  const ssize_t n = ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), target.data(), target.size());
  target.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return target;
}

std::vector<std::string> arguments_of(pid_t pid) {
  const std::string text = read_proc(pid, "cmdline");
  std::vector<std::string> arguments;
  for (const std::string_view word : split(text, '\0')) arguments.emplace_back(word);
  return arguments;
}

void end_processes(const std::vector<ProcessId>& processes, Millis grace) {
  std::vector<Fd> handles;
  for (const ProcessId& id : processes) {
    Fd handle = handle_of(id);
    if (!handle.valid()) continue;
    static_cast<void>(signal_pidfd(handle.get(), SIGTERM));
    // A stopped process takes the signal only once it goes on.
    static_cast<void>(signal_pidfd(handle.get(), SIGCONT));
    handles.push_back(std::move(handle));
  }
  wait_all(handles, Deadline::in(grace));
  for (const Fd& handle : handles) static_cast<void>(signal_pidfd(handle.get(), SIGKILL));
  wait_all(handles, Deadline::in(Millis(1000)));
}

}  // namespace handrail::linux_

#include "platform/linux/named_app.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "platform/linux/installed_apps.h"
#include "platform/linux/running_script.h"
#include "platform/linux/wrapped_program.h"

namespace handrail::linux_ {
namespace {

constexpr std::chrono::seconds kReadAgainAfter{5};
constexpr const char* kNowhere = "/nonexistent";

}  // namespace

std::vector<DesktopEntry> entries_system_first(const Environment& environment) {
  Environment system = environment;
  system["XDG_DATA_HOME"] = kNowhere;
  Environment persons = environment;
  persons["XDG_DATA_DIRS"] = kNowhere;
  std::vector<DesktopEntry> entries = installed_entries(system);
  std::set<std::string> ids;
  for (const DesktopEntry& entry : entries) ids.insert(entry.id);
  for (DesktopEntry& entry : installed_entries(persons)) {
    if (ids.insert(entry.id).second) entries.push_back(std::move(entry));
  }
  return entries;
}

void NamedApps::read() {
  ids_.clear();
  read_at_ = std::chrono::steady_clock::now();
  std::vector<DesktopEntry> entries = entries_system_first(environment_);
  // Of several entries with one program, the one that menus show.
  std::ranges::stable_sort(entries, {}, [](const DesktopEntry& entry) { return entry.no_display; });
  for (const DesktopEntry& entry : entries) {
    const std::string program = program_of(entry, environment_);
    if (program.empty()) continue;
    if (!runs_scripts(program)) {
      ids_.emplace(program, entry.id);
      if (const std::string wrapped = wrapped_program(program); !wrapped.empty()) ids_.emplace(wrapped, entry.id);
      continue;
    }
    const Result<std::vector<std::string>> argv = command_of(entry);
    const std::string script = argv.ok() ? script_of(program, *argv, "/") : "";
    if (!script.empty()) ids_.emplace(program + '\n' + script, entry.id);
  }
}

std::string NamedApps::desktop_id(const std::string& executable, const std::string& script) {
  const auto look = [&]() -> std::string {
    // A script that is a program itself, or an interpreter with it; an interpreter alone is no app.
    for (const std::string& key : {executable + '\n' + script, script, script.empty() ? executable : std::string()}) {
      const auto found = key.empty() ? ids_.end() : ids_.find(key);
      if (found != ids_.end()) return found->second;
    }
    return "";
  };
  std::string id = look();
  const auto now = std::chrono::steady_clock::now();
  if (id.empty() && (read_at_ == std::chrono::steady_clock::time_point{} || now - read_at_ > kReadAgainAfter)) {
    read();
    id = look();
  }
  return id;
}

}  // namespace handrail::linux_

#include "platform/linux/installed_apps.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/log.h"
#include "base/nearest.h"
#include "platform/linux/desktop_folder.h"
#include "platform/linux/process_table.h"
#include "platform/linux/toolkit_needs.h"
#include "platform/linux/wrapped_program.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntryBytes = 256 * 1024;
constexpr int kMaxDepth = 4;
constexpr std::string_view kSuffix = ".desktop";

std::string value_of(const Environment& environment, const std::string& name, const std::string& otherwise) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? otherwise : found->second;
}

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Id to file, in the folders' order of importance.
std::map<std::string, std::string> entry_files(const Environment& environment) {
  std::map<std::string, std::string> files;
  for (const std::string& folder : entry_folders(environment)) {
    std::error_code failed;
    fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied, failed), end;
    for (; !failed && walk != end; walk.increment(failed)) {
      if (walk.depth() >= kMaxDepth) walk.disable_recursion_pending();
      const std::string path = walk->path().string();
      if (!path.ends_with(kSuffix)) continue;
      std::string id = path.substr(folder.size() + 1, path.size() - folder.size() - 1 - kSuffix.size());
      std::ranges::replace(id, '/', '-');
      files.emplace(id, path);
    }
  }
  return files;
}

// Packages link entries into place, so links are followed here.
Result<std::string> read_entry_file(const std::string& path) {
  std::error_code failed;
  const std::string real = fs::canonical(path, failed).string();
  return read_small_file(failed ? path : real, kMaxEntryBytes);
}

std::string candidates(const std::vector<const DesktopEntry*>& entries) {
  std::string text;
  for (const DesktopEntry* entry : entries)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", entry->name, entry->id);
  return text;
}

Error nothing_matches(const std::vector<DesktopEntry>& entries, const std::string& wanted) {
  std::vector<std::string_view> names;
  for (const DesktopEntry& entry : entries) {
    if (!entry.no_display) names.push_back(entry.name);
  }
  const std::string_view close = nearest(wanted, names);
  Error error = make_error(Code::not_found, fmt::format("No app is called {}.", shortened(wanted, 80)));
  if (close.empty()) return std::move(error).with_hint(std::string(kNameAnApp));
  return std::move(error).with_hint(fmt::format("Did you mean {}?", close));
}

}  // namespace

std::vector<std::string> entry_folders(const Environment& environment) {
  std::vector<std::string> folders;
  folders.push_back(value_of(environment, "XDG_DATA_HOME", value_of(environment, "HOME", "") + "/.local/share"));
  const std::string dirs = value_of(environment, "XDG_DATA_DIRS", "/usr/local/share:/usr/share");
  for (std::size_t start = 0; start <= dirs.size();) {
    const std::size_t end = std::min(dirs.find(':', start), dirs.size());
    folders.push_back(dirs.substr(start, end - start));
    start = end + 1;
  }
  std::erase_if(folders, [](const std::string& folder) { return folder.empty() || folder[0] != '/'; });
  for (std::string& folder : folders) folder += "/applications";
  return folders;
}

std::vector<DesktopEntry> installed_entries(const Environment& environment) {
  const std::string path = value_of(environment, "PATH", "/usr/bin:/bin");
  std::vector<DesktopEntry> entries;
  for (const auto& [id, file] : entry_files(environment)) {
    const Result<std::string> text = read_entry_file(file);
    Result<DesktopEntry> entry = text.ok() ? parse_desktop_entry(*text) : Result<DesktopEntry>(text.error());
    if (!entry.ok()) {
      log(LogLevel::debug, "{} is left out: {}", file, entry.error().message);
      continue;
    }
    entry->id = id;
    entry->path = file;
    if (entry->hidden || entry->terminal) continue;
    if (!entry->try_exec.empty() && !find_program(entry->try_exec, path).ok()) continue;
    if (program_of(*entry, environment).empty()) continue;
    entries.push_back(std::move(*entry));
  }
  return entries;
}

Result<DesktopEntry> match_entry(const std::vector<DesktopEntry>& entries, const std::string& wanted) {
  std::string id = wanted;
  if (id.ends_with(kSuffix)) id.resize(id.size() - kSuffix.size());
  for (const DesktopEntry& entry : entries) {
    if (entry.id == id) return entry;
  }
  const std::string key = lower(id);
  const auto matching = [&](const auto& fits) {
    std::vector<const DesktopEntry*> found;
    for (const DesktopEntry& entry : entries) {
      if (!entry.no_display && fits(entry)) found.push_back(&entry);
    }
    return found;
  };
  const std::vector<const DesktopEntry*> rounds[] = {
      matching([&](const DesktopEntry& e) { return lower(e.id) == key; }),
      matching([&](const DesktopEntry& e) { return lower(e.name) == key; }),
      matching([&](const DesktopEntry& e) {
        return !key.empty() &&
               (lower(e.name).find(key) != std::string::npos || lower(e.id).find(key) != std::string::npos);
      }),
  };
  for (const auto& found : rounds) {
    if (found.size() == 1) return *found[0];
    if (found.size() > 1) {
      return make_error(Code::ambiguous,
                        fmt::format("{} can mean several apps: {}.", shortened(wanted, 80), candidates(found)))
          .with_hint("Use the id in parentheses.");
    }
  }
  return nothing_matches(entries, wanted);
}

std::string program_of(const DesktopEntry& entry, const Environment& environment) {
  const Result<std::vector<std::string>> argv = command_of(entry);
  if (!argv.ok()) return "";
  const Result<std::string> file = find_program((*argv)[0], value_of(environment, "PATH", "/usr/bin:/bin"));
  if (!file.ok()) return "";
  std::error_code failed;
  const fs::path real = fs::canonical(*file, failed);
  return failed ? *file : real.string();
}

std::vector<RunningProgram> running_programs(const std::string& scope) {
  std::vector<RunningProgram> running;
  for (const ProcessFacts& facts : all_processes()) {
    const pid_t pid = facts.id.pid;
    if (facts.state == 'Z' || !started_with(pid, scope)) continue;
    RunningProgram program{pid, executable_of(pid), ""};
    // The kernel puts the path of a script behind its interpreter's.
    const std::vector<std::string> arguments = arguments_of(pid);
    std::error_code failed;
    if (arguments.size() > 1 && arguments[1].starts_with('/'))
      program.script = fs::canonical(arguments[1], failed).string();
    running.push_back(std::move(program));
  }
  return running;
}

Result<std::vector<std::string>> command_or_app(const std::vector<std::string>& words, const Environment& environment) {
  if (words.size() != 1 || words[0].find('/') != std::string::npos) return words;
  for (const DesktopEntry& entry : installed_entries(environment)) {
    if (entry.id == words[0]) return with_accessibility(TRY(command_of(entry)));
  }
  return words;
}

App app_of(const DesktopEntry& entry, const Environment& environment, const std::vector<RunningProgram>& running) {
  App app{entry.id, entry.name, program_of(entry, environment), {}};
  const std::string wrapped = running.empty() ? "" : wrapped_program(app.executable);
  for (const RunningProgram& program : running) {
    const bool runs = program.executable == app.executable || program.script == app.executable ||
                      (!wrapped.empty() && program.executable == wrapped);
    if (runs && !app.executable.empty()) app.pids.push_back(program.pid);
  }
  return app;
}

}  // namespace handrail::linux_

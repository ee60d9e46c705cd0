#include "platform/linux/default_app.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/fd.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "platform/linux/desktop_folder.h"
#include "platform/linux/installed_apps.h"
#include "platform/linux/named_app.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kLookedAt = 512;
constexpr std::string_view kText = "text/plain", kBytes = "application/octet-stream";

std::string value_of(const Environment& environment, const std::string& name, const std::string& otherwise) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? otherwise : found->second;
}

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::vector<std::string> data_folders(const Environment& environment) {
  std::vector<std::string> folders{
      value_of(environment, "XDG_DATA_HOME", value_of(environment, "HOME", "/") + "/.local/share")};
  for (const std::string& folder : split(value_of(environment, "XDG_DATA_DIRS", "/usr/local/share:/usr/share"), ':')) {
    folders.push_back(folder);
  }
  return folders;
}

std::string first_bytes(const std::string& file) {
  const Fd in(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  std::string bytes(kLookedAt, '\0');
  const ssize_t got = in.valid() ? ::read(in.get(), bytes.data(), bytes.size()) : 0;
  bytes.erase(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

// A person's folder may hold anything under these names, a pipe too.
std::string small_file(const std::string& path) {
  constexpr std::size_t kMost = 4 << 20;
  const Result<std::string> text = read_small_file(path, kMost);
  return text.ok() ? *text : "";
}

// The value of a key in a group of a key file; empty when there is none.
std::string entry_in(const std::string& path, std::string_view group, std::string_view key) {
  std::istringstream in(small_file(path));
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) inside = line == group;
    const std::size_t equals = line.find('=');
    if (inside && equals != std::string::npos && std::string_view(line).substr(0, equals) == key) {
      return line.substr(equals + 1);
    }
  }
  return {};
}

// Ids that are named for the type, the most important first.
std::vector<std::string> chosen_for(const std::string& mime, const Environment& environment) {
  std::vector<std::string> lists{
      value_of(environment, "XDG_CONFIG_HOME", value_of(environment, "HOME", "/") + "/.config") + "/mimeapps.list"};
  for (const std::string& folder : split(value_of(environment, "XDG_CONFIG_DIRS", "/etc/xdg"), ':')) {
    lists.push_back(folder + "/mimeapps.list");
  }
  std::vector<std::string> caches;
  for (const std::string& folder : data_folders(environment)) {
    lists.push_back(folder + "/applications/mimeapps.list");
    lists.push_back(folder + "/applications/defaults.list");
    caches.push_back(folder + "/applications/mimeinfo.cache");
  }
  std::vector<std::string> ids;
  const auto add = [&](const std::string& path, std::string_view group) {
    for (const std::string& id : split(entry_in(path, group, mime), ';')) {
      if (id.ends_with(".desktop")) ids.push_back(id.substr(0, id.size() - 8));
    }
  };
  for (const std::string& list : lists) add(list, "[Default Applications]");
  for (const std::string& list : lists) add(list, "[Added Associations]");
  for (const std::string& cache : caches) add(cache, "[MIME Cache]");
  return ids;
}

}  // namespace

Status check_file(const std::string& file) {
  const auto wrong = [&](const std::string& what) {
    return make_error(Code::argument_invalid, fmt::format("{} {}.", shortened(file, 200), what))
        .with_field("file", "the absolute path of a regular file that is there");
  };
  if (!file.starts_with('/') || file.find('\0') != std::string::npos) return wrong("is no absolute path");
  const Fd handle(::open(file.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!handle.valid() || ::fstat(handle.get(), &facts) != 0) {
    return make_error(Code::not_found, fmt::format("{} is not there.", shortened(file, 200)))
        .with_field("file", "the absolute path of a regular file that is there");
  }
  if (!S_ISREG(facts.st_mode)) return wrong("is no regular file");
  // What a person agreed to is the path that they saw.
  std::error_code failed;
  if (std::filesystem::canonical(file, failed).string() != file) return wrong("leads through a link or `..`");
  if (lower(file).ends_with(".desktop")) return wrong("says which program to start, and is opened by nobody");
  return {};
}

std::string mime_type_of(const std::string& file, const Environment& environment) {
  const std::string name = lower(file.substr(file.rfind('/') + 1));
  std::string best;
  int best_weight = -1;
  std::size_t best_length = 0;
  for (const std::string& folder : data_folders(environment)) {
    std::istringstream globs(small_file(folder + "/mime/globs2"));
    for (std::string line; std::getline(globs, line);) {
      const std::vector<std::string> parts = line.starts_with('#') ? std::vector<std::string>() : split(line, ':');
      if (parts.size() < 3) continue;
      const std::string& glob = parts[2];
      const bool ending = glob.starts_with('*') && glob.find_first_of("*?[", 1) == std::string::npos;
      const bool fits = ending ? name.ends_with(lower(glob.substr(1))) : name == lower(glob);
      if (!fits) continue;
      const int weight = std::atoi(parts[0].c_str());
      if (weight < best_weight || (weight == best_weight && glob.size() <= best_length)) continue;
      best = parts[1];
      best_weight = weight;
      best_length = glob.size();
    }
  }
  if (!best.empty()) return best;
  const std::string bytes = first_bytes(file);
  // The last character may be cut.
  const bool text = bytes.find('\0') == std::string::npos && (bytes.size() == kLookedAt || decode_utf8(bytes).ok());
  return std::string(text ? kText : kBytes);
}

Result<DesktopEntry> default_entry(const std::string& file, const Environment& environment) {
  const std::string mime = mime_type_of(file, environment);
  std::vector<std::string> types{mime};
  if (mime.starts_with("text/") && mime != kText) types.emplace_back(kText);
  const std::vector<DesktopEntry> entries = entries_system_first(environment);
  for (const std::string& type : types) {
    for (const std::string& id : chosen_for(type, environment)) {
      const auto found = std::ranges::find(entries, id, &DesktopEntry::id);
      if (found != entries.end()) return *found;
    }
    // Nobody has chosen one: the first that says that it opens them.
    const auto opens = [&](const DesktopEntry& entry) {
      return !entry.no_display && (";" + entry.mime_types + ";").find(";" + type + ";") != std::string::npos;
    };
    if (const auto found = std::ranges::find_if(entries, opens); found != entries.end()) return *found;
  }
  return make_error(Code::not_found, fmt::format("No app is there for files of type {}.", mime))
      .with_hint("Name the app that should open it.");
}

}  // namespace handrail::linux_

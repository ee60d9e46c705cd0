#include "engine/audit_read.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/fd.h"
#include "base/private_file.h"

namespace handrail::engine {
namespace {

// No record is longer; what goes on without an end is given in pieces of this size.
constexpr std::size_t kMaxLine = 1024 * 1024;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

bool is_audit_file(std::string_view name) {
  constexpr std::string_view kForm = "audit-dddd-dd-dd.jsonl";
  if (name.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool digit = i >= 6 && i < 16 && kForm[i] == 'd';
    if (digit ? (name[i] < '0' || name[i] > '9') : name[i] != kForm[i]) return false;
  }
  return true;
}

Result<std::vector<std::string>> audit_files(const std::string& folder) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  std::vector<std::string> names;
  if (!open) {
    if (errno == ENOENT) return names;
    return file_error("read the folder", folder, errno);
  }
  while (const dirent* entry = ::readdir(open.get())) {
    if (is_audit_file(entry->d_name)) names.emplace_back(entry->d_name);
  }
  std::ranges::sort(names);
  return names;
}

Result<std::uint64_t> each_line(const std::string& path, std::uint64_t from, std::uint64_t until,
                                const std::function<bool(const FileLine&)>& take) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return file_error("open", path, errno);
  std::string held;
  std::vector<char> buffer(256 * 1024);
  std::uint64_t at = from, done = from, number = 0;
  while (at < until) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), until - at));
    const ssize_t n = ::pread(file.get(), buffer.data(), wanted, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error("read", path, errno);
    if (n == 0) break;
    at += static_cast<std::uint64_t>(n);
    held.append(buffer.data(), static_cast<std::size_t>(n));
    std::size_t start = 0;
    for (std::size_t end = 0; (end = held.find('\n', start)) != std::string::npos; start = end + 1) {
      done += end + 1 - start;
      if (!take({std::string_view(held).substr(start, end - start), ++number, true})) return done;
    }
    held.erase(0, start);
    if (held.size() > kMaxLine) {
      done += held.size();
      if (!take({held, ++number, false})) return done;
      held.clear();
    }
  }
  if (!held.empty()) take({held, number + 1, false});
  return done;
}

}  // namespace handrail::engine

#include "platform/linux/desktop_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/json.h"
#include "platform/linux/desktop_record.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::linux_ {
namespace {

Error file_error(std::string_view what, const std::string& path) {
  return make_error(Code::io_error, fmt::format("Cannot {} {}: {}", what, path, std::strerror(errno)));
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  // The base directory rules: what is not absolute is ignored.
  return value && value[0] == '/' ? value : "";
}

Status make_folders(const std::string& base, std::initializer_list<const char*> parts, std::string& path) {
  path = base;
  for (const char* part : parts) {
    path += std::string("/") + part;
    TRY(make_private_folder(path));
  }
  return {};
}

int remove_entry(const char* path, const struct stat*, int, FTW*) {
  ::remove(path);
  return 0;
}

}  // namespace

std::string marker_entry(const std::string& name, const std::string& id) {
  return fmt::format("HANDRAIL_DESKTOP={}/{}", name, id);
}

Status check_desktop_name(const std::string& name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  const bool good = !name.empty() && name.size() <= 32 && plain(name[0]) &&
                    std::ranges::all_of(name, [&](char c) { return plain(c) || c == '.' || c == '-' || c == '_'; });
  if (name == "embedded") {
    return make_error(Code::argument_invalid, "A desktop cannot be named `embedded`.")
        .with_field("name", "another name: `--desktop embedded` means a new desktop");
  }
  if (good) return {};
  return make_error(Code::argument_invalid, "The name of a desktop is not valid.")
      .with_field("name", "1 to 32 letters, digits, dots, dashes or underscores, starting with a letter or digit");
}

Status make_private_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return file_error("make the folder", path);
  const Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) return file_error("open the folder", path);
  struct stat facts {};
  if (::fstat(folder.get(), &facts) != 0) return file_error("look at", path);
  if (facts.st_uid == ::geteuid() && (facts.st_mode & 077U) == 0) return {};
  return make_error(Code::permission_missing, fmt::format("{} is not private to this user.", path))
      .with_hint(fmt::format("Make it your own with mode 0700, or remove it: {}", path));
}

Result<std::string> desktops_folder() {
  const std::string runtime = TRY(runtime_folder());
  std::string path;
  TRY(make_folders(runtime, {"desktops"}, path));
  return path;
}

Result<std::string> private_home(const std::string& name) {
  std::string data = variable("XDG_DATA_HOME");
  if (data.empty()) {
    const std::string home = variable("HOME");
    if (home.empty())
      return make_error(Code::permission_missing, "HOME is not set.").with_hint("Set HOME and start again.");
    data = home + "/.local/share";
  }
  // The parents are the person's own and may be missing; what is below is ours and private.
  for (std::size_t slash = data.find('/', 1);; slash = data.find('/', slash + 1)) {
    const std::string parent = data.substr(0, slash);
    if (::mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST) return file_error("make the folder", parent);
    if (slash == std::string::npos) break;
  }
  std::string path;
  TRY(make_folders(data, {"handrail", "desktops", name.c_str(), "home"}, path));
  return path;
}

void remove_folder(const std::string& path) {
  // FTW_MOUNT: an app may have mounted something below its runtime folder; that is not ours to empty.
  ::nftw(path.c_str(), remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

Result<NameLock> NameLock::take(const std::string& folder, const std::string& name) {
  const std::string path = fmt::format("{}/{}.lock", folder, name);
  for (;;) {
    Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.valid()) return file_error("open", path);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      return make_error(Code::busy, fmt::format("A desktop named {} is running already.", name));
    }
    // Its last holder may have taken the file away between open and lock; then the lock is worth nothing.
    struct stat held {
    }, named{};
    if (::fstat(file.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino) {
      return NameLock(std::move(file), path);
    }
  }
}

void NameLock::discard() {
  if (!fd_.valid()) return;
  ::unlink(path_.c_str());
  fd_.reset();
}

Result<std::string> read_small_file(const std::string& path, std::size_t max_bytes) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid()) return file_error("open", path);
  std::string text;
  char buffer[8192];
  for (ssize_t n = 0; (n = ::read(file.get(), buffer, sizeof buffer)) != 0;) {
    if (n < 0) return file_error("read", path);
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > max_bytes)
      return make_error(Code::too_large, fmt::format("{} is larger than {} bytes.", path, max_bytes));
  }
  return text;
}

Status write_private_file(const std::string& path, std::string_view content) {
  const std::string draft = path + ".new";
  ::unlink(draft.c_str());
  Fd file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return file_error("write", draft);
  while (!content.empty()) {
    const ssize_t n = ::write(file.get(), content.data(), content.size());
    if (n < 0) return file_error("write", draft);
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return file_error("write", path);
  return {};
}

Status write_state(const DesktopInfo& info) {
  return write_private_file(info.runtime_dir + "/state.json", to_pretty(to_json(info)));
}

Result<DesktopInfo> read_state(const std::string& folder, const std::string& name) {
  const std::string text = TRY(read_small_file(fmt::format("{}/{}/state.json", folder, name), 256 * 1024));
  const Json json = TRY(parse_json(text));
  DesktopInfo info = TRY(desktop_info(json));
  if (info.name != name) return make_error(Code::io_error, fmt::format("The state of desktop {} names another.", name));
  return info;
}

}  // namespace handrail::linux_

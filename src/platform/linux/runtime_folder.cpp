#include "platform/linux/runtime_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/private_file.h"

namespace handrail::linux_ {
namespace {

// The base directory rules: what is not absolute is ignored.
std::string folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] == '/' ? value : "";
}

Status check_owned(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return file_error("use", path, errno);
  if (facts.st_uid == ::geteuid() && (facts.st_mode & 022U) == 0) return {};
  return make_error(Code::permission_missing,
                    fmt::format("{} belongs to another user or others can write to it.", path))
      .with_hint("Set XDG_RUNTIME_DIR to a folder of your own with mode 0700.");
}

// Where logins have it, for who was started without their environment. Only one that is this user's alone.
std::string login_folder(const std::string& logins) {
  std::string path = fmt::format("{}/{}", logins, ::geteuid());
  struct stat facts {};
  const bool ours = ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == ::geteuid() &&
                    (facts.st_mode & 07777U) == 0700U;
  return ours ? path : "";
}

}  // namespace

Result<std::string> runtime_folder(const std::string& logins) {
  std::string base = folder_in("XDG_RUNTIME_DIR");
  if (!base.empty())
    TRY(check_owned(base));
  else
    base = login_folder(logins);
  std::string path = base.empty() ? fmt::format("/tmp/handrail-{}", ::geteuid()) : base + "/handrail";
  TRY(ensure_private_folder(path));
  return path;
}

Result<std::string> state_folder() {
  std::string base = folder_in("XDG_STATE_HOME");
  if (base.empty()) {
    const std::string home = folder_in("HOME");
    if (home.empty()) {
      return make_error(Code::permission_missing, "HOME is not set.").with_hint("Set HOME and start again.");
    }
    base = home + "/.local/state";
  }
  std::string path = base + "/handrail";
  TRY(ensure_private_folders(base, path));
  return path;
}

Result<StatePaths> state_paths() {
  const std::string folder = TRY(state_folder());
  TRY(ensure_private_folder(folder + "/keys"));
  return StatePaths{folder, folder + "/audit", folder + "/keys/audit.key", folder + "/stopped"};
}

}  // namespace handrail::linux_

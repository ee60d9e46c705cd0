#include "platform/linux/sandbox.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "platform/linux/file_access.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

// Programs and what they need to run; nothing that holds secrets, whoever the user is.
constexpr std::array kSystem{"/usr", "/opt"};
constexpr std::array kTopLevel{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
constexpr std::array kSettings{"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",   "/etc/alternatives",
                               "/etc/passwd",      "/etc/group",      "/etc/nsswitch.conf",  "/etc/localtime",
                               "/etc/timezone",    "/etc/os-release", "/etc/fonts",          "/etc/mime.types",
                               "/etc/perl",        "/etc/python3",    "/etc/java-17-openjdk"};
constexpr std::array kForNetwork{"/etc/resolv.conf",     "/etc/hosts",    "/etc/ssl",
                                 "/etc/ca-certificates", "/etc/services", "/etc/protocols"};
// Where sockets of desktops and services are, should a granted folder hold them.
constexpr std::array kSockets{"/run", "/var/run", "/tmp/.X11-unix", "/tmp/.ICE-unix"};

// Of memory, in each of its folders for passing things.
constexpr const char* kScratchBytes = "268435456";

bool there(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

// Of another process namespace than the sandbox's own, and devices.
constexpr std::array kOfTheKernel{"/proc", "/sys", "/dev"};

bool is_kernels(const FileRoot& root) {
  return std::ranges::any_of(
      kOfTheKernel, [&](const char* folder) { return lies_in(root.path, folder) || lies_in(folder, root.path); });
}

bool holds_any(const FileRoot& root, const std::vector<std::string>& hidden) {
  return std::ranges::any_of(hidden, [&](const std::string& folder) { return lies_in(folder, root.path); });
}

void add(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

Result<std::string> folder_to_run_in(const std::string& cwd, const FileReach& reach) {
  if (cwd.empty()) return reach.roots.empty() ? std::string("/tmp") : reach.roots.front().path;
  auto found = place_of(cwd, reach.roots, reach.hidden);
  if (!found.ok()) {
    Error wrong = std::move(found).error();
    if (!wrong.field.empty()) wrong.field = "cwd";
    return wrong;
  }
  const FilePlace& place = *found;
  if (place.below.empty()) return place.absolute();
  const Fd parent = TRY(open_parent(place));
  TRY(open_below(parent.get(), place.name(), O_PATH | O_DIRECTORY));
  return place.absolute();
}

std::vector<std::string> sandbox_words(const FileReach& reach, const std::string& folder, Network network) {
  std::vector<std::string> words{"bwrap", "--unshare-all"};
  if (network == Network::shared) words.push_back("--share-net");
  add(words, {"--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"});
  add(words, {"--info-fd", std::to_string(kSandboxReportFd), "--block-fd", std::to_string(kSandboxStartFd)});
  add(words, {"--seccomp", std::to_string(kSandboxFilterFd)});
  for (const char* path : kSystem) add(words, {"--ro-bind-try", path, path});
  for (const char* path : kTopLevel) {
    std::error_code failed;
    const fs::path target = fs::read_symlink(path, failed);
    if (!failed)
      add(words, {"--symlink", target.string(), path});
    else
      add(words, {"--ro-bind-try", path, path});
  }
  for (const char* path : kSettings) add(words, {"--ro-bind-try", path, path});
  if (network == Network::shared) {
    for (const char* path : kForNetwork) add(words, {"--ro-bind-try", path, path});
  }
  // Of root's the settings of the kernel could be written there, whatever was dropped.
  add(words, {"--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"});
  add(words, {"--size", kScratchBytes, "--tmpfs", "/dev/shm"});
  for (const char* path : {"/tmp", "/run", "/var/tmp"}) add(words, {"--size", kScratchBytes, "--tmpfs", path});
  std::vector<FileRoot> roots = reach.roots;
  std::ranges::sort(roots, {}, [](const FileRoot& root) { return root.path.size(); });
  std::vector<std::string> shut = reach.hidden;
  shut.insert(shut.end(), kSockets.begin(), kSockets.end());
  for (const FileRoot& root : roots) {
    // A program that may write around our folders, or around another root, could rename the way to them.
    std::vector<std::string> within = reach.hidden;
    for (const FileRoot& other : roots) {
      if (other.path != root.path) within.push_back(other.path);
    }
    const bool writes = root.write && !holds_any(root, within);
    if (!is_kernels(root) && there(root.path)) add(words, {writes ? "--bind" : "--ro-bind", root.path, root.path});
  }
  for (const std::string& path : shut) {
    const bool shown = std::ranges::any_of(roots, [&](const FileRoot& root) {
      return !is_kernels(root) && root.path != path && lies_in(path, root.path);
    });
    if (!shown || !there(path)) continue;
    if (fs::is_directory(path))
      add(words, {"--tmpfs", path});
    else
      add(words, {"--ro-bind", "/dev/null", path});
  }
  add(words, {"--chdir", folder, "--"});
  return words;
}

Environment sandbox_environment(const RunProgram& program, const FileReach& reach) {
  const bool at_home = !reach.roots.empty() && reach.roots.front().write;
  Environment environment{{"PATH", kSandboxPath},
                          {"LANG", "C.UTF-8"},
                          {"LC_ALL", "C.UTF-8"},
                          {"TERM", "dumb"},
                          {"HOME", at_home ? reach.roots.front().path : "/tmp"}};
  for (const auto& [name, value] : program.environment) environment[name] = value;
  // What was given cannot take these away.
  environment["PATH"] = kSandboxPath;
  return environment;
}

}  // namespace handrail::linux_

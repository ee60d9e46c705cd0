#include "platform/linux/file_access.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/one_line.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kShown = 200;
// The kernel asks for another try when something on the way was moved meanwhile.
constexpr int kTries = 64;

// Where files tell or change how the system works.
constexpr std::array<long, 9> kOfTheKernel{PROC_SUPER_MAGIC,    SYSFS_MAGIC,      DEBUGFS_MAGIC,
                                           TRACEFS_MAGIC,       SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC,
                                           CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,     DEVPTS_SUPER_MAGIC};

Error refused(const std::string& path, std::string_view why) {
  return make_error(Code::access_denied, fmt::format("{} {}.", quoted(path, kShown), why))
      .with_hint("Use an ordinary file in a granted folder.");
}

}  // namespace

Error path_error(std::string_view what, const std::string& path, int number) {
  const std::string shown = quoted(path, kShown);
  switch (number) {
    case ENOENT:
      return make_error(Code::not_found, fmt::format("{} is not there.", shown))
          .with_hint("List the folder it should be in with list_folder.");
    case ELOOP: return refused(path, "is a link or leads through one, which is never followed");
    case EXDEV: return refused(path, "leads out of its folder or to another file system");
    case ENOTDIR: return refused(path, "is no folder, or leads through something that is none");
    case EISDIR: return refused(path, "is a folder");
    case ENXIO: return refused(path, "is no regular file");
    case EACCES:
    case EPERM:
    case EROFS: return refused(path, "may not be used by this user");
    case EEXIST:
      return make_error(Code::argument_invalid, fmt::format("{} is there already.", shown))
          .with_field("path", "a name that is not taken, or a mode that replaces");
    case ENOTEMPTY:
      return make_error(Code::argument_invalid, fmt::format("The folder {} is not empty.", shown))
          .with_field("recursive", "true to delete it with everything in it");
    case ENOSPC:
    case EDQUOT:
      return make_error(Code::io_error, fmt::format("There is no space left for {}; nothing of it was kept.", shown))
          .with_hint("Free space on that disk, then call again.");
    case ENOSYS:
      return make_error(Code::capability_unsupported, "This kernel cannot keep files below a folder (openat2).")
          .with_hint("Use Linux 5.6 or newer, and let the container make that call.");
    default: break;
  }
  return make_error(Code::io_error, fmt::format("Cannot {} {}: {}.", what, shown, std::strerror(number)));
}

Result<Fd> open_below(int folder, const std::string& path, std::uint64_t flags, std::uint64_t mode, Mounts mounts) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  if (mounts == Mounts::stay) how.resolve |= RESOLVE_NO_XDEV;
  for (int tries = 1;; ++tries) {
    const long fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
    if (fd >= 0) return Fd(static_cast<int>(fd));
    const bool again = errno == EAGAIN || errno == EINTR;
    if (!again || tries == kTries) return path_error("open", path, errno);
  }
}

Result<Fd> open_root(const FileRoot& root) {
  // Its path was without links when it was granted; one that has come since leads elsewhere.
  const Fd top(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!top.valid()) return path_error("open", root.path, errno);
  const std::string below = root.path.size() > 1 ? root.path.substr(1) : ".";
  return open_below(top.get(), below, O_PATH | O_DIRECTORY);
}

Result<Fd> open_parent(const FilePlace& place, Mounts mounts) {
  const Fd root = TRY(open_root(place.root));
  Fd parent = TRY(open_below(root.get(), place.parent(), O_PATH | O_DIRECTORY, 0, mounts));
  TRY(check_folder(parent.get(), place.absolute()));
  return parent;
}

Status check_way(const FilePlace& place, const std::vector<std::string>& hidden) {
  std::vector<struct stat> shut;
  for (const std::string& folder : hidden) {
    struct stat facts {};
    if (::stat(folder.c_str(), &facts) == 0) shut.push_back(facts);
  }
  Fd here = TRY(open_root(place.root));
  for (std::size_t next = 0;; ++next) {
    struct stat facts {};
    if (::fstat(here.get(), &facts) != 0) return path_error("look at", place.absolute(), errno);
    const bool ours = std::ranges::any_of(
        shut, [&](const struct stat& each) { return each.st_dev == facts.st_dev && each.st_ino == facts.st_ino; });
    if (ours) return refused(place.absolute(), "belongs to Handrail itself");
    if (next == place.below.size()) return {};
    auto below = open_below(here.get(), place.below[next], O_PATH | O_NOFOLLOW);
    // What is not there, or is a link, is told by who opens it.
    if (!below.ok()) return {};
    here = std::move(below).value();
  }
}

Status check_folder(int folder, const std::string& path) {
  struct statfs system {};
  if (::fstatfs(folder, &system) != 0) return path_error("look at", path, errno);
  const bool kernels = std::ranges::find(kOfTheKernel, static_cast<long>(system.f_type)) != kOfTheKernel.end();
  return kernels ? Status(refused(path, "is no file on a disk")) : Status();
}

Status check_file(int file, const std::string& path, Use use) {
  struct stat facts {};
  if (::fstat(file, &facts) != 0) return path_error("look at", path, errno);
  if (S_ISLNK(facts.st_mode)) return path_error("open", path, ELOOP);
  if (S_ISDIR(facts.st_mode)) return path_error("open", path, EISDIR);
  if (!S_ISREG(facts.st_mode)) return refused(path, "is no regular file");
  // Another name of it may lie anywhere, and be somebody else's secret.
  if (facts.st_nlink > 1) return refused(path, "has another name elsewhere (a hard link)");
  if (use == Use::write && facts.st_uid != ::geteuid()) return refused(path, "belongs to another user");
  return check_folder(file, path);
}

FileKind kind_of(const struct stat& facts) {
  if (S_ISREG(facts.st_mode)) return FileKind::file;
  if (S_ISDIR(facts.st_mode)) return FileKind::folder;
  return S_ISLNK(facts.st_mode) ? FileKind::link : FileKind::other;
}

FileInfo info_of(const struct stat& facts, std::string path, bool root_writable) {
  FileInfo info;
  info.path = std::move(path);
  info.kind = kind_of(facts);
  info.size = facts.st_size;
  info.modified = facts.st_mtim.tv_sec;
  const bool usable = info.kind == FileKind::folder || (info.kind == FileKind::file && facts.st_nlink == 1);
  info.writable = root_writable && usable && facts.st_uid == ::geteuid();
  return info;
}

}  // namespace handrail::linux_

// Changing files: whole files by a new one beside them that takes the name, so that nobody sees half of one.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/one_line.h"
#include "base/random_id.h"
#include "platform/linux/file_access.h"
#include "platform/linux/files.h"

namespace handrail::linux_ {
namespace {

constexpr std::uint64_t kToLookAt = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
constexpr std::size_t kMostRemoved = 100'000;
constexpr int kDeepest = 128;
constexpr std::size_t kShown = 200;

Error not_ours(const std::string& path, std::string_view why) {
  return make_error(Code::access_denied, fmt::format("{} {}.", quoted(path, kShown), why))
      .with_hint("Choose something else inside a folder that is granted for writing.");
}

// 0, or the error's number.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

bool holds(int file, std::string_view bytes) {
  std::string seen(bytes.size() + 1, '\0');
  std::size_t got = 0;
  while (got < seen.size()) {
    const ssize_t n = ::pread(file, seen.data() + got, seen.size() - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got == bytes.size() && std::string_view(seen).substr(0, got) == bytes;
}

// Taken away again unless it got its name.
struct NewFile {
  int folder;
  std::string name;
  bool kept = false;
  ~NewFile() {
    if (!kept) ::unlinkat(folder, name.c_str(), 0);
  }
};

struct Removal {
  Deadline deadline;
  const std::stop_token& stop;
  std::size_t seen = 0;
};

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

Result<Folder> entries_of(int folder, const std::string& name) {
  Fd opened = TRY(open_below(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0, Mounts::stay));
  Folder entries(::fdopendir(opened.get()), ::closedir);
  if (!entries) return path_error("list", name, errno);
  opened.release();
  return entries;
}

Status still_time(const Removal& removal) {
  if (removal.stop.stop_requested()) return make_error(Code::cancelled, "Deleting was cancelled.");
  if (removal.deadline.passed()) return make_error(Code::timeout, "Deleting took too long.");
  return {};
}

// Everything in the folder, looked at (and judged) or removed. Folders are entered by descriptor, on this disk only.
Status walk(int folder, const std::string& name, bool remove, int depth, Removal& removal) {
  if (depth > kDeepest) return make_error(Code::too_large, "The folders are too deep to be deleted.");
  const Folder entries = TRY(entries_of(folder, name));
  const int here = ::dirfd(entries.get());
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string each = entry->d_name;
    if (each == "." || each == "..") continue;
    TRY(still_time(removal));
    struct stat facts {};
    if (::fstatat(here, each.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return path_error("look at", each, errno);
    const bool is_folder = S_ISDIR(facts.st_mode);
    if (facts.st_uid != ::geteuid()) return not_ours(each, "in it belongs to another user");
    if (++removal.seen > kMostRemoved)
      return make_error(Code::too_large, "There is too much in it to be deleted in one call.");
    if (is_folder) TRY(walk(here, each, remove, depth + 1, removal));
    if (remove && ::unlinkat(here, each.c_str(), is_folder ? AT_REMOVEDIR : 0) != 0) {
      return path_error("delete", each, errno);
    }
  }
  return {};
}

}  // namespace

Result<FilePlace> LinuxFiles::place_to_change(const std::string& path) const {
  const FileReach reach = reach_();
  FilePlace place = TRY(place_of(path, reach.roots, reach.hidden));
  if (!place.root.write) {
    return make_error(Code::access_denied,
                      fmt::format("{} is granted for reading only.", quoted(place.root.path, kShown)))
        .with_hint("Only the owner can grant it for writing, in the config file.");
  }
  TRY(check_way(place, reach.hidden));
  const std::string absolute = place.absolute();
  for (const FileRoot& root : reach.roots) {
    if (lies_in(root.path, absolute)) return not_ours(path, "is a granted folder itself, or holds one");
  }
  for (const std::string& folder : reach.hidden) {
    if (lies_in(folder, absolute)) return not_ours(path, "holds what belongs to Handrail itself");
  }
  return place;
}

Status LinuxFiles::within_quota(const ChangeFile& change) const {
  if (change.verb != FileVerb::write) return {};
  if (change.bytes.size() > kMostFileWrite) {
    return make_error(Code::too_large, fmt::format("One call writes at most {} bytes.", kMostFileWrite))
        .with_hint("Write the rest with mode append.");
  }
  const std::int64_t quota = reach_().quota;
  if (written_ + static_cast<std::int64_t>(change.bytes.size()) <= quota) return {};
  return make_error(Code::too_large,
                    fmt::format("This session has written {} bytes, and may write {} in all.", written_.load(), quota))
      .with_hint("Only the owner can raise it, with files.write_quota_mb in the config file.");
}

Status LinuxFiles::check(const ChangeFile& change, Deadline) {
  const FilePlace place = TRY(place_to_change(change.path));
  TRY(open_parent(place));
  if (change.verb == FileVerb::move) {
    const FilePlace to = TRY(place_to_change(change.to));
    TRY(open_parent(to));
  }
  return within_quota(change);
}

Result<FileInfo> LinuxFiles::change(const ChangeFile& change, Permit, Deadline deadline, std::stop_token stop) {
  const FilePlace place = TRY(place_to_change(change.path));
  TRY(within_quota(change));
  switch (change.verb) {
    case FileVerb::write: return change.mode == WriteMode::append ? append(place, change.bytes) : write(place, change);
    case FileVerb::remove: return remove(place, change.recursive, deadline, stop);
    case FileVerb::move: {
      const FilePlace to = TRY(place_to_change(change.to));
      return move(place, to, change.replace);
    }
    case FileVerb::make_folder: break;
  }
  return make_folder(place);
}

Result<FileInfo> LinuxFiles::write(const FilePlace& place, const ChangeFile& change) {
  const std::string& path = change.path;
  const Fd parent = TRY(open_parent(place));
  mode_t mode = 0644;
  const auto before = open_below(parent.get(), place.name(), kToLookAt);
  if (before.ok()) {
    TRY(check_file(before->get(), path, Use::write));
    if (change.mode == WriteMode::create) return path_error("write", path, EEXIST);
    struct stat facts {};
    if (::fstat(before->get(), &facts) == 0) mode = facts.st_mode & 0777;
  } else if (before.error().code != Code::not_found) {
    return before.error();
  }
  NewFile fresh{parent.get(), random_id(".handrail-")};
  const Fd file = TRY(open_below(parent.get(), fresh.name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  int failed = write_all(file.get(), change.bytes);
  if (failed == 0 && ::fchmod(file.get(), mode) != 0) failed = errno;
  // Also a disk that says late that it is full.
  if (failed == 0 && ::fsync(file.get()) != 0) failed = errno;
  if (failed != 0) return path_error("write", path, failed);
  const unsigned how = change.mode == WriteMode::create ? RENAME_NOREPLACE : 0;
  if (::renameat2(parent.get(), fresh.name.c_str(), parent.get(), place.name().c_str(), how) != 0) {
    return path_error("write", path, errno);
  }
  fresh.kept = true;
  written_ += static_cast<std::int64_t>(change.bytes.size());
  const Fd after = TRY(open_below(parent.get(), place.name(), kToLookAt));
  struct stat facts {};
  if (::fstat(after.get(), &facts) != 0 || !holds(after.get(), change.bytes)) {
    return make_error(Code::io_error, fmt::format("{} was written, but reads differently.", quoted(path, kShown)))
        .with_side_effects(SideEffects::possible);
  }
  return info_of(facts, place.absolute(), true);
}

Result<FileInfo> LinuxFiles::append(const FilePlace& place, const std::string& bytes) {
  const std::string path = place.absolute();
  const Fd parent = TRY(open_parent(place));
  const Fd file = TRY(open_below(parent.get(), place.name(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  TRY(check_file(file.get(), path, Use::write));
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) return path_error("write", path, errno);
  int failed = write_all(file.get(), bytes);
  if (failed == 0 && ::fsync(file.get()) != 0) failed = errno;
  if (failed != 0) {
    const bool undone = ::ftruncate(file.get(), before.st_size) == 0;
    return path_error("write", path, failed).with_side_effects(undone ? SideEffects::none : SideEffects::partial);
  }
  written_ += static_cast<std::int64_t>(bytes.size());
  struct stat after {};
  if (::fstat(file.get(), &after) != 0) return path_error("look at", path, errno);
  return info_of(after, path, true);
}

Result<FileInfo> LinuxFiles::remove(const FilePlace& place, bool recursive, Deadline deadline,
                                    const std::stop_token& stop) {
  const std::string path = place.absolute();
  const Fd parent = TRY(open_parent(place, Mounts::stay));
  struct stat facts {};
  if (::fstatat(parent.get(), place.name().c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return path_error("delete", path, errno);
  }
  if (S_ISLNK(facts.st_mode)) return path_error("delete", path, ELOOP);
  if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return path_error("delete", path, ENXIO);
  if (facts.st_uid != ::geteuid()) return not_ours(path, "belongs to another user");
  const bool folder = S_ISDIR(facts.st_mode);
  Removal removal{deadline, stop};
  if (folder) {
    // Looked at as a whole first: what may not be deleted leaves all of it there. Mounts are not entered.
    TRY(entries_of(parent.get(), place.name()));
    if (recursive) {
      TRY(walk(parent.get(), place.name(), false, 0, removal));
      if (Status gone = walk(parent.get(), place.name(), true, 0, removal); !gone.ok()) {
        return std::move(gone).error().with_side_effects(SideEffects::partial);
      }
    }
  }
  if (::unlinkat(parent.get(), place.name().c_str(), folder ? AT_REMOVEDIR : 0) != 0) {
    return path_error("delete", path, errno);
  }
  return info_of(facts, path, true);
}

Result<FileInfo> LinuxFiles::move(const FilePlace& from, const FilePlace& to, bool replace) {
  const std::string path = from.absolute(), target = to.absolute();
  const Fd source = TRY(open_parent(from));
  const Fd goal = TRY(open_parent(to));
  struct stat facts {};
  if (::fstatat(source.get(), from.name().c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return path_error("move", path, errno);
  }
  if (S_ISLNK(facts.st_mode)) return path_error("move", path, ELOOP);
  if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return path_error("move", path, ENXIO);
  if (facts.st_uid != ::geteuid()) return not_ours(path, "belongs to another user");
  if (S_ISREG(facts.st_mode) && facts.st_nlink > 1) return not_ours(path, "has another name elsewhere (a hard link)");
  if (const auto there = open_below(goal.get(), to.name(), kToLookAt); there.ok()) {
    if (!replace) return path_error("move to", target, EEXIST);
    TRY(check_file(there->get(), target, Use::write));
  } else if (there.error().code != Code::not_found) {
    return there.error();
  }
  const unsigned how = replace ? 0 : RENAME_NOREPLACE;
  if (::renameat2(source.get(), from.name().c_str(), goal.get(), to.name().c_str(), how) != 0) {
    if (errno == EXDEV) return not_ours(target, "is on another disk: write it there and delete it here");
    return path_error("move", path, errno);
  }
  if (::fstatat(goal.get(), to.name().c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return path_error("look at", target, errno).with_side_effects(SideEffects::possible);
  }
  return info_of(facts, target, true);
}

Result<FileInfo> LinuxFiles::make_folder(const FilePlace& place) {
  const std::string path = place.absolute();
  const Fd parent = TRY(open_parent(place));
  if (::mkdirat(parent.get(), place.name().c_str(), 0755) != 0) return path_error("make", path, errno);
  struct stat facts {};
  if (::fstatat(parent.get(), place.name().c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return path_error("look at", path, errno);
  }
  return info_of(facts, path, true);
}

}  // namespace handrail::linux_

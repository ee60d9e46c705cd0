// Looking at files. What changes them is in files_change.cpp.
#include "platform/linux/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "platform/linux/file_access.h"

namespace handrail::linux_ {
namespace {

// More than a folder that a person looks into; a folder of more is not sorted but told to be too large.
constexpr std::size_t kMostScanned = 200'000;

std::string without_links(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, failed);
  return failed ? path : real.string();
}

Error too_slow(const std::string& path) {
  return make_error(Code::timeout, fmt::format("The disk did not answer in time about {}.", path));
}

}  // namespace

Result<FileReach> resolved(FileReach reach) {
  for (FileRoot& root : reach.roots) {
    if (!root.path.starts_with('/')) {
      return make_error(Code::argument_invalid,
                        fmt::format("The folder `{}` under `files.roots` is not absolute.", root.path))
          .with_field("files.roots", "absolute paths such as /home/me/work");
    }
    root.path = without_links(root.path);
    while (root.path.size() > 1 && root.path.ends_with('/')) root.path.pop_back();
  }
  for (std::string& folder : reach.hidden) folder = without_links(folder);
  return reach;
}

std::vector<FileInfo> LinuxFiles::roots() {
  std::vector<FileInfo> all;
  for (const FileRoot& root : reach_().roots) {
    FileInfo info;
    info.path = root.path;
    info.kind = FileKind::folder;
    info.writable = root.write;
    all.push_back(std::move(info));
  }
  return all;
}

Result<FilePlace> LinuxFiles::place(const std::string& path) const {
  const FileReach reach = reach_();
  FilePlace place = TRY(place_of(path, reach.roots, reach.hidden));
  TRY(check_way(place, reach.hidden));
  return place;
}

Result<FilePart> LinuxFiles::read(const std::string& path, std::int64_t offset, std::size_t most, Deadline deadline) {
  const FilePlace at = TRY(place(path));
  if (at.below.empty()) return path_error("read", path, EISDIR);
  const Fd parent = TRY(open_parent(at));
  // Not blocking: opening a pipe would wait for its writer.
  const Fd file = TRY(open_below(parent.get(), at.name(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  TRY(check_file(file.get(), path, Use::read));
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return path_error("read", path, errno);
  FilePart part;
  part.size = facts.st_size;
  part.bytes.resize(std::min(most, kMostFileRead));
  std::size_t got = 0;
  while (got < part.bytes.size()) {
    if (deadline.passed()) return too_slow(path);
    const ssize_t n = ::pread(file.get(), part.bytes.data() + got, part.bytes.size() - got,
                              static_cast<off_t>(offset + static_cast<std::int64_t>(got)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return path_error("read", path, errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  part.bytes.resize(got);
  return part;
}

Result<FolderList> LinuxFiles::list(const std::string& path, std::size_t most, Deadline deadline) {
  const FilePlace at = TRY(place(path));
  const Fd root = TRY(open_root(at.root));
  const std::string below = at.below.empty() ? "." : (at.parent() == "." ? "" : at.parent() + "/") + at.name();
  Fd folder = TRY(open_below(root.get(), below, O_RDONLY | O_DIRECTORY));
  TRY(check_folder(folder.get(), path));
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(folder.get()), ::closedir);
  if (!entries) return path_error("list", path, errno);
  folder.release();
  const FileReach reach = reach_();
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const std::string absolute = (at.absolute() == "/" ? "" : at.absolute()) + "/" + name;
    if (std::ranges::find(reach.hidden, absolute) != reach.hidden.end()) continue;
    names.push_back(name);
    if (deadline.passed()) return too_slow(path);
    if (names.size() > kMostScanned)
      return make_error(Code::too_large, "The folder has too many entries to be listed.");
  }
  std::ranges::sort(names);
  FolderList list;
  const std::size_t shown = std::min({most, kMostEntries, names.size()});
  list.left_out = static_cast<std::int64_t>(names.size() - shown);
  for (std::size_t i = 0; i < shown; ++i) {
    struct stat facts {};
    if (::fstatat(::dirfd(entries.get()), names[i].c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    list.entries.push_back(info_of(facts, names[i], at.root.write));
    if (deadline.passed()) return too_slow(path);
  }
  return list;
}

Result<FileInfo> LinuxFiles::info(const std::string& path, Deadline) {
  const FilePlace at = TRY(place(path));
  const Fd root = TRY(open_root(at.root));
  struct stat facts {};
  if (at.below.empty()) {
    if (::fstat(root.get(), &facts) != 0) return path_error("look at", path, errno);
    return info_of(facts, at.absolute(), at.root.write);
  }
  const Fd parent = TRY(open_parent(at));
  if (::fstatat(parent.get(), at.name().c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return path_error("look at", path, errno);
  }
  return info_of(facts, at.absolute(), at.root.write);
}

Result<FileStanding> LinuxFiles::standing(const std::string& path, Deadline) {
  const FileReach reach = reach_();
  const std::string real = without_links(path);
  const FilePlace place = TRY(place_of(real, {{"/", false}}, {}));
  const bool named_ours =
      std::ranges::any_of(reach.hidden, [&](const std::string& folder) { return lies_in(real, folder); });
  if (named_ours) return FileStanding::own;
  if (const Status way = check_way(place, reach.hidden); !way.ok()) {
    if (way.error().code != Code::access_denied) return way.error();
    return FileStanding::own;
  }
  const bool inside = std::ranges::any_of(reach.roots, [&](const FileRoot& root) { return lies_in(real, root.path); });
  // A way through a link is as good as none: where it leads to may be another place by the time it is used.
  return inside && real == path ? FileStanding::granted : FileStanding::outside;
}

}  // namespace handrail::linux_

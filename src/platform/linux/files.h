// The Files port: granted folders of this machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "computer/files.h"
#include "platform/linux/file_paths.h"

namespace handrail::linux_ {

struct FileReach {
  std::vector<FileRoot> roots;
  std::vector<std::string> hidden;   // Handrail's own folders
  std::int64_t quota = 100'000'000;  // bytes that may be written in all
};

// Paths of folders without links in them, as far as they exist. A root that is no absolute path is an error.
Result<FileReach> resolved(FileReach reach);

class LinuxFiles : public Files {
 public:
  // Asked for at each call: an embedded desktop may be started anew, with its home elsewhere.
  using Source = std::function<FileReach()>;
  explicit LinuxFiles(Source reach) : reach_(std::move(reach)) {}

  std::vector<FileInfo> roots() override;
  Result<FilePart> read(const std::string& path, std::int64_t offset, std::size_t most, Deadline deadline) override;
  Result<FolderList> list(const std::string& path, std::size_t most, Deadline deadline) override;
  Result<FileInfo> info(const std::string& path, Deadline deadline) override;
  Result<FileStanding> standing(const std::string& path, Deadline deadline) override;
  Result<FileInfo> change(const ChangeFile& change, Permit permit, Deadline deadline, std::stop_token stop) override;
  Status check(const ChangeFile& change, Deadline deadline) override;

 private:
  Result<FilePlace> place(const std::string& path) const;
  // One that is granted for writing, and neither a root nor around one or around a folder of ours.
  Result<FilePlace> place_to_change(const std::string& path) const;
  Status within_quota(const ChangeFile& change) const;
  Result<FileInfo> write(const FilePlace& place, const ChangeFile& change);
  Result<FileInfo> append(const FilePlace& place, const std::string& bytes);
  Result<FileInfo> remove(const FilePlace& place, bool recursive, Deadline deadline, const std::stop_token& stop);
  Result<FileInfo> move(const FilePlace& from, const FilePlace& to, bool replace);
  Result<FileInfo> make_folder(const FilePlace& place);

  Source reach_;
  std::atomic<std::int64_t> written_ = 0;
};

}  // namespace handrail::linux_

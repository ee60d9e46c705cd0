// Files inside the folders that the owner granted, and nowhere else.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/file.h"
#include "model/permit.h"

namespace handrail {

// What one call reads or writes at most, and lists.
inline constexpr std::size_t kMostFileRead = 16000;
inline constexpr std::size_t kMostFileWrite = 4u << 20;
inline constexpr std::size_t kMostEntries = 1000;

class Files {
 public:
  virtual ~Files() = default;

  // The granted folders themselves, the one that relative paths start from first.
  virtual std::vector<FileInfo> roots() = 0;
  virtual Result<FilePart> read(const std::string& path, std::int64_t offset, std::size_t most, Deadline deadline) = 0;
  virtual Result<FolderList> list(const std::string& path, std::size_t most, Deadline deadline) = 0;
  virtual Result<FileInfo> info(const std::string& path, Deadline deadline) = 0;
  // Where an absolute path leads to, links followed: for files that an app is asked to open.
  virtual Result<FileStanding> standing(const std::string& path, Deadline deadline) = 0;
  // What is there afterwards, read again; of a removal what was there. No link is ever followed. Writes of whole files
  // are seen whole or not at all.
  virtual Result<FileInfo> change(const ChangeFile& change, Permit permit, Deadline deadline, std::stop_token stop) = 0;
  // Whether the change could be made, as far as that shows beforehand. Changes nothing.
  virtual Status check(const ChangeFile& change, Deadline deadline) = 0;
};

}  // namespace handrail

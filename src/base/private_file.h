// Files and folders that belong to one user alone: made, checked, replaced in one step and locked. Links, files of
// others and files that others may read are refused. What is in them is nobody's business here.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace handrail {

// `io_error` with the path and the reason that the kernel gave.
Error file_error(std::string_view what, const std::string& path, int reason);

// Makes the folder with mode 0700, or checks that the one there is no link, our own and private.
Status ensure_private_folder(const std::string& path);
// The same after its parents, which are the person's own and may be missing.
Status ensure_private_folders(const std::string& parent, const std::string& path);

// Whether an open file is a regular one of ours that nobody else may read or write.
Status check_private_file(int fd, const std::string& path);
// The whole content; `not_found` when there is none.
Result<std::string> read_private_file(const std::string& path, std::size_t max_bytes);
// Mode 0600. The old content or the new one, whenever the program or the machine stops; on disk when it returns.
Status replace_private_file(const std::string& path, std::string_view content);
// 32 random bytes that are made once; everyone who asks at the same time gets the same ones.
Result<std::string> secret_of_file(const std::string& path);

// One holder at a time among all processes and threads, each with an own object. It ends with the process, and no
// child inherits it.
class FileLock {
 public:
  static Result<FileLock> open(std::string path);

  // `busy` at the deadline. Safe against a file that was taken away or replaced: the lock is always that of the path.
  Status lock(Deadline deadline);
  void unlock() noexcept;

 private:
  explicit FileLock(std::string path) : path_(std::move(path)) {}
  Status reopen();
  bool current() const;

  std::string path_;
  Fd file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// Takes an open file description's lock without waiting; false when another one holds it.
bool try_lock_file(int fd) noexcept;
void unlock_file(int fd) noexcept;

}  // namespace handrail

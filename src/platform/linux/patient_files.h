// Files with a deadline for every call: a disk that does not answer, such as a share of a machine that is gone, keeps a
// thread of its own waiting and nobody else.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "computer/files.h"

namespace handrail::linux_ {

class PatientFiles : public Files {
 public:
  explicit PatientFiles(std::shared_ptr<Files> files) : files_(std::move(files)) {}

  std::vector<FileInfo> roots() override { return files_->roots(); }
  Result<FilePart> read(const std::string& path, std::int64_t offset, std::size_t most, Deadline deadline) override;
  Result<FolderList> list(const std::string& path, std::size_t most, Deadline deadline) override;
  Result<FileInfo> info(const std::string& path, Deadline deadline) override;
  Result<FileStanding> standing(const std::string& path, Deadline deadline) override;
  Result<FileInfo> change(const ChangeFile& change, Permit permit, Deadline deadline, std::stop_token stop) override;
  Status check(const ChangeFile& change, Deadline deadline) override;

 private:
  template <class T>
  Result<T> in_time(Deadline deadline, std::function<Result<T>(Files&)> work);

  std::shared_ptr<Files> files_;
  std::shared_ptr<std::atomic<int>> waiting_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace handrail::linux_

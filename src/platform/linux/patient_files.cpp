#include "platform/linux/patient_files.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace handrail::linux_ {
namespace {

// After the deadline of the work itself, which knows better how to say what it did.
constexpr Millis kLonger{200};
// Calls that still wait for a disk; more of them would only wait as well.
constexpr int kMostWaiting = 8;

Error no_answer() {
  return make_error(Code::timeout, "The disk did not answer in time.")
      .with_hint("Use another granted folder; the person may have to mount this one again.");
}

}  // namespace

template <class T>
Result<T> PatientFiles::in_time(Deadline deadline, std::function<Result<T>(Files&)> work) {
  struct Answer {
    std::mutex mutex;
    std::condition_variable came;
    std::optional<Result<T>> result;
  };
  if (*waiting_ >= kMostWaiting) return no_answer();
  ++*waiting_;
  const auto answer = std::make_shared<Answer>();
  std::thread([answer, files = files_, waiting = waiting_, work = std::move(work)] {
    Result<T> result = work(*files);
    --*waiting;
    const std::lock_guard lock(answer->mutex);
    answer->result = std::move(result);
    answer->came.notify_all();
  }).detach();
  std::unique_lock lock(answer->mutex);
  if (!answer->came.wait_until(lock, deadline.at() + kLonger, [&] { return answer->result.has_value(); })) {
    return no_answer();
  }
  return std::move(*answer->result);
}

Result<FilePart> PatientFiles::read(const std::string& path, std::int64_t offset, std::size_t most, Deadline deadline) {
  return in_time<FilePart>(deadline, [=](Files& files) { return files.read(path, offset, most, deadline); });
}

Result<FolderList> PatientFiles::list(const std::string& path, std::size_t most, Deadline deadline) {
  return in_time<FolderList>(deadline, [=](Files& files) { return files.list(path, most, deadline); });
}

Result<FileInfo> PatientFiles::info(const std::string& path, Deadline deadline) {
  return in_time<FileInfo>(deadline, [=](Files& files) { return files.info(path, deadline); });
}

Result<FileStanding> PatientFiles::standing(const std::string& path, Deadline deadline) {
  return in_time<FileStanding>(deadline, [=](Files& files) { return files.standing(path, deadline); });
}

Result<FileInfo> PatientFiles::change(const ChangeFile& change, Permit permit, Deadline deadline,
                                      std::stop_token stop) {
  // What was begun goes no further once the caller has been told that it failed.
  auto ending = std::make_shared<std::stop_source>();
  const std::stop_callback stopped(stop, [ending] { ending->request_stop(); });
  auto held = std::make_shared<Permit>(std::move(permit));
  auto done = in_time<FileInfo>(
      deadline, [=](Files& files) { return files.change(change, std::move(*held), deadline, ending->get_token()); });
  ending->request_stop();
  if (!done.ok() && done.error().code == Code::timeout && done.error().side_effects == SideEffects::none) {
    return std::move(done).error().with_side_effects(SideEffects::possible);
  }
  return done;
}

Status PatientFiles::check(const ChangeFile& change, Deadline deadline) {
  const auto checked = in_time<bool>(deadline, [=](Files& files) -> Result<bool> {
    if (Status status = files.check(change, deadline); !status.ok()) return std::move(status).error();
    return true;
  });
  return checked.ok() ? Status() : Status(checked.error());
}

}  // namespace handrail::linux_

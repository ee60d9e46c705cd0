#include "vision/workers.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace handrail::vision {
namespace {

struct Job {
  const std::function<void(int, int)>& work;
  const int parts;
  std::atomic<int> next{0};

  void take_parts(int lane) {
    for (int part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) work(part, lane);
  }
};

class Helper {
 public:
  Helper() : thread_([this] { serve(); }) {}
  ~Helper() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  // False when another caller has the helper.
  bool offer(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      if (job_ != nullptr) return false;
      job_ = &job;
      taken_ = false;
    }
    wake_.notify_one();
    return true;
  }

  // Takes the job back; waits only if the helper is in the middle of a part.
  void withdraw() {
    std::unique_lock lock(mutex_);
    taken_ = true;
    idle_.wait(lock, [this] { return !working_; });
    job_ = nullptr;
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return ending_ || (job_ != nullptr && !taken_); });
      if (ending_) return;
      Job& job = *job_;
      taken_ = working_ = true;
      lock.unlock();
      job.take_parts(1);
      lock.lock();
      working_ = false;
      idle_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  Job* job_ = nullptr;  // from offer() to withdraw()
  bool taken_ = false;  // the helper had it, or it is too late to begin
  bool working_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace

void share(int parts, const std::function<void(int part, int lane)>& work) {
  Job job{work, parts};
  static const bool alone = std::thread::hardware_concurrency() < 2;
  if (alone || parts < 2) return job.take_parts(0);
  static Helper helper;
  const bool helped = helper.offer(job);
  job.take_parts(0);
  if (helped) helper.withdraw();
}

}  // namespace handrail::vision

// Listens for the notifications that apps send to the notification service of a session bus. It only listens: the bus
// copies what is sent to a monitor, which can answer nothing.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "model/system.h"

namespace handrail::linux_ {

// 2026-01-31T09:30:00+01:00
std::string local_time();

class NotificationWatch {
 public:
  // Returns at once.
  explicit NotificationWatch(std::string bus_address);
  ~NotificationWatch();
  NotificationWatch(const NotificationWatch&) = delete;
  NotificationWatch& operator=(const NotificationWatch&) = delete;

  // Waits until listening has begun or cannot. What came since, oldest first; `since` is empty when nothing is heard.
  NotificationsSeen seen(Deadline deadline);

 private:
  void listen(const std::string& address);
  void finish();

  Fd wake_;
  std::mutex mutex_;
  std::condition_variable begun_;
  bool settled_ = false;  // it listens, or never will
  NotificationsSeen seen_;
  std::thread thread_;
};

}  // namespace handrail::linux_

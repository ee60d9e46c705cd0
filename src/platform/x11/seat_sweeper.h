// Takes the agent's own devices away some time after they were used. Not at once: a GTK app that is still at an event
// of a device asks the server about it, and ends when there is no such device any more. So it waits until the app has
// answered a ping behind the last event, and a little longer.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "platform/x11/connection.h"
#include "platform/x11/input_fence.h"

namespace handrail::x11 {

class SeatSweeper {
 public:
  // Before the connection's first call. `remove` runs in a task, again and again until it says that they are gone.
  SeatSweeper(std::shared_ptr<Connection> connection, std::function<bool(Server&)> remove);
  // Waits for what is under way, for as long as an app in its right mind takes.
  ~SeatSweeper();
  SeatSweeper(const SeatSweeper&) = delete;
  SeatSweeper& operator=(const SeatSweeper&) = delete;

  // The devices rest; the last app that they acted on is the one to wait for.
  void sweep_behind(KeyTarget app);
  // They are wanted again.
  void hold_off();

 private:
  void run(KeyTarget app, const std::stop_token& stop);
  void end_thread();

  std::shared_ptr<Connection> connection_;
  std::function<bool(Server&)> remove_;
  AppFence fence_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool under_way_ = false;
  std::mutex one_at_a_time_;  // thread_
  std::jthread thread_;
};

}  // namespace handrail::x11

// Takes in what arrives on a bus while nobody asks anything, so that it does not pile up at the daemon.
#pragma once

#include <mutex>
#include <stop_token>
#include <thread>

#include "platform/atspi/bus.h"

namespace handrail::atspi {

class BusPump {
 public:
  // Uses the bus only with the mutex held. Ends by itself when the bus is lost. May be destroyed with the mutex held.
  BusPump(Bus& bus, std::timed_mutex& mutex);
  ~BusPump();
  BusPump(const BusPump&) = delete;
  BusPump& operator=(const BusPump&) = delete;

 private:
  void run(const std::stop_token& stop);

  Bus& bus_;
  std::timed_mutex& mutex_;
  int wake_;
  std::jthread thread_;
};

}  // namespace handrail::atspi

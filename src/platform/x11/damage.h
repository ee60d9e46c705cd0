// Counts changes of the screen. Subscribes when the count is first asked for, and hears of one change
// between two questions only, so that an animation nobody looks at costs nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "platform/x11/connection.h"

namespace handrail::x11 {

// Register before the connection's first call.
class ChangeCounter {
 public:
  explicit ChangeCounter(std::shared_ptr<Connection> connection);

  // Every change after this returns makes a later count differ; read it before capturing.
  Result<std::uint64_t> count(Deadline deadline);
  Result<std::uint64_t> wait(std::uint64_t seen, Deadline deadline, std::stop_token stop);

 private:
  struct State;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<State> state_;
};

}  // namespace handrail::x11

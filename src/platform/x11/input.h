// Pointer, keys and text through XTEST, into whatever the pointer and the focus are on. It executes
// plans; where to point and whether it may is decided before.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>

#include "computer/ports.h"
#include "platform/x11/agent_seat.h"
#include "platform/x11/connection.h"
#include "platform/x11/displays.h"
#include "platform/x11/input_delivery.h"
#include "platform/x11/input_fence.h"
#include "platform/x11/input_held.h"
#include "platform/x11/input_watch.h"
#include "platform/x11/keyboard.h"
#include "platform/x11/seat_sweeper.h"

namespace handrail::x11 {

// What outlives a plan; belongs to the connection's thread.
struct Hands {
  HeldInput held;
  Keyboard keyboard;
  HeldWatch watch;
  AgentSeat seat;
  PixelPoint origin;      // where the last button went down
  bool dragging = false;  // the pointer has moved since, with the button held
};

class X11Input : public Input {
 public:
  // Before the connection's first call.
  explicit X11Input(std::shared_ptr<Connection> connection, std::shared_ptr<InputDelivery> delivery = nullptr);
  ~X11Input() override;

  Result<InputReport> perform(const InputPlan& plan, Permit permit, Deadline deadline, std::stop_token stop) override;
  Status release_all(Deadline deadline) override;
  std::vector<Button> held_buttons() override;
  std::vector<Key> held_keys() override;
  bool has_seats() override { return true; }
  Status leave_seat(Deadline deadline) override;

 private:
  // The app that the agent's own hand was on; nothing when it rests already.
  std::optional<KeyTarget> leave_seat(Server& server);
  bool remove_seat(Server& server);

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<InputDelivery> delivery_;
  std::shared_ptr<Hands> hands_;
  AppFence fence_;
  DisplayLayout layout_;
  SeatSweeper sweeper_;

  // One plan at a time: two at once would mix their keys.
  std::mutex mutex_;
  std::condition_variable_any idle_;
  bool running_ = false;
  std::stop_source run_stop_;
  std::uint64_t plans_ = 0;
};

}  // namespace handrail::x11

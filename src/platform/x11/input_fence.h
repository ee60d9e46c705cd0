// Tells when an app has taken in the keys that were sent to it: a `_NET_WM_PING` comes back only after
// everything before it was read. It knows windows and pings, not keys.
#pragma once

#include <xcb/xcb.h>

#include <atomic>
#include <memory>
#include <stop_token>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::x11 {

class Connection;
class Server;

// Where keys go now.
struct KeyTarget {
  xcb_window_t window = XCB_WINDOW_NONE;
  bool answers_ping = false;
};

class AppFence {
 public:
  enum class Answer { answered, window_gone };

  // Before the connection's first call. Pings are numbered; two fences of a connection must begin far from each other,
  // and from the small numbers of window managers.
  explicit AppFence(std::shared_ptr<Connection> connection, std::uint32_t first_ping = 0x48000000);

  static Result<KeyTarget> target(Server& server);
  // Of one window.
  static KeyTarget target_of(Server& server, xcb_window_t window);

  // For targets that answer pings, on a thread that may wait. `timeout` when the app is silent until
  // the deadline.
  Result<Answer> wait(KeyTarget target, Deadline deadline, std::stop_token stop);

 private:
  std::shared_ptr<Connection> connection_;
  // Shared with the listener, which lives as long as the connection.
  std::shared_ptr<std::atomic<std::uint32_t>> last_answer_;
  std::uint32_t last_ping_;
};

// Waits on the calling thread. False when stopped before `until`.
bool sleep_until(TimePoint until, std::stop_token stop);

}  // namespace handrail::x11

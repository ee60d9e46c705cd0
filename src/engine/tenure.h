// The time in which a session has the desktop: it begins with the first act and ends when the client says so, leaves,
// or is idle for long. Ending puts everything back: hidden windows, clipboard, keys, buttons, lock.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "computer/computer.h"
#include "computer/desk_lock.h"

namespace handrail::engine {

enum class Taking { taken, left };

class Tenure {
 public:
  struct Parts {
    Computer& computer;
    DeskLock* lock = nullptr;
    std::function<void(Taking what)> notify;  // tells the person; may be empty
    Millis idle{120000};                      // 0: never by itself
  };

  Tenure(Parts parts, std::string session);
  ~Tenure();
  Tenure(const Tenure&) = delete;
  Tenure& operator=(const Tenure&) = delete;

  // Takes the lock if need be. Call before each act.
  Status take(Deadline deadline);
  // Quick, for every event.
  Status check() const;
  // A person uses the desktop: what earlier calls left down is let go of, between calls. Quick, from any thread.
  void person_came();
  // Around every call: idle time is time without one. A call that comes while an idle turn is being ended begins after
  // that end, and none is ended under a call.
  void call_begins();
  void call_ends();
  // The turn is over; safe at any time, also when it never began.
  Status end(Deadline deadline);

 private:
  void watch(const std::stop_token& stop);
  void end_idle_turn();
  void let_go();
  Status put_back(Deadline deadline);

  Parts parts_;
  const std::string session_;
  std::mutex ending_;  // one end at a time
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool has_desktop_ = false;
  bool between_calls_ = false;  // something is put back; no call begins meanwhile
  bool person_came_ = false;    // between calls, while something was held down
  int calls_ = 0;
  TimePoint idle_since_ = Clock::now();
  std::jthread watch_;
};

}  // namespace handrail::engine

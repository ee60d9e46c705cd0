// A D-Bus connection whose calls never block: many are sent, then all answers are awaited together until a deadline.
// It knows messages, not what they are about. For one thread at a time.
#pragma once

#include <systemd/sd-bus.h>

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::atspi {

struct MessageUnref {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, MessageUnref>;

class Bus {
 public:
  // Success means that the bus has greeted us.
  static Result<std::unique_ptr<Bus>> connect(const std::string& address, Deadline deadline);
  ~Bus();
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  // To the bus of accessibility that a session bus names. Null when there is none.
  static Result<std::unique_ptr<Bus>> dial_accessibility(const std::string& session_bus, Deadline deadline);

  // Nothing when the names are not valid ones.
  Message call(const std::string& service, const std::string& path, const char* interface, const char* method) const;

  // Called once with the answer; with nothing when it is an error or did not come in time.
  using Reply = std::function<void(sd_bus_message* answer)>;
  // The patience is for this one alone; settle() may end before.
  void send(Message request, Reply reply, Millis patience = std::chrono::minutes(1));
  // Until everything that was sent is answered. `timeout` when something was not; `backend_lost` when the bus went
  // away.
  Status settle(Deadline deadline);
  // Signals only.
  void hear_until(Deadline deadline);
  // The same until something has arrived.
  void hear_some(Deadline deadline);
  bool lost() const { return lost_; }
  // Requests so far.
  std::uint64_t sent() const { return sent_; }
  // Inside a Reply without an answer: none came, as opposed to an error.
  bool late() const { return late_; }
  // Inside a Reply without an answer: its own patience has ended.
  bool gave_up() const { return gave_up_; }

  // Called for every signal that arrives, in the order of the wire: those that an app sent before its answer come
  // before the answer. Which ones arrive is asked for by AddMatch.
  using Signal = std::function<void(sd_bus_message* signal)>;
  void on_signal(Signal signal);
  // Takes in what has arrived, without waiting. Only outside of settle(). True when there may be more.
  bool drain();
  // Readable when something has arrived.
  int socket() const { return sd_bus_get_fd(bus_); }

 private:
  struct Pending;
  explicit Bus(sd_bus* bus);
  static int on_answer(sd_bus_message* answer, void* pending, sd_bus_error*);
  static int on_message(sd_bus_message* message, void* bus, sd_bus_error*);
  int step(Deadline deadline);

  sd_bus* bus_;
  bool lost_ = false;
  bool late_ = false;
  bool gave_up_ = false;
  std::list<std::unique_ptr<Pending>> pending_;  // those that are not answered
  std::uint64_t sent_ = 0;
  Signal signal_;
};

}  // namespace handrail::atspi

// Whether a person uses the mouse or the keyboard: raw events of devices that are not XTEST's, which no synthetic
// input of ours or of other programs comes from. It listens on a connection of its own, so that a fast mouse wakes
// nobody else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "platform/x11/connection.h"

namespace handrail::x11 {

class People {
 public:
  // `connection` has had no call yet and is used by nobody else.
  explicit People(std::shared_ptr<Connection> connection);

  // Listens from now on, and again after the server was lost. Harmless when it does already.
  Status listen(Deadline deadline);
  // Since a person last touched a device; nothing when they never did.
  Result<std::optional<Millis>> idle(Deadline deadline);
  bool listening() const { return connection_->connected(); }
  // The same by the events that have come so far; quick, from any thread.
  std::optional<Millis> seen() const;
  // Called on this connection's thread at every touch of a device, until null replaces it; after that it does not run
  // any more. It must not wait and must not ask this object.
  void on_touch(std::function<void()> callback);
  // The same for as long as somebody else listens; both are told.
  void on_person(std::function<void()> callback);
  // Called on this connection's thread, at once, when a person holds all keys of the chord: keysyms, where the left
  // and the right one of a modifier are the same. Replaces the one before; null ends it. It must not wait.
  void on_panic(std::vector<std::uint32_t> chord, std::function<void()> callback);

 private:
  struct State;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<State> state_;  // shared with the listeners
};

}  // namespace handrail::x11

// The X server held still for a moment: between looking and sending nobody can put a window, a focus or a grab in
// between. Everybody else waits meanwhile, so what is done inside is a few requests and never a wait for an app.
#pragma once

#include <memory>

#include "computer/custody.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

class DisplayClaim;

class ServerHold {
 public:
  // Inside a task. `busy` when the claim is no longer ours, and then nothing is held. Both may be null.
  static Result<ServerHold> take(Server& server, Custody* custody, DisplayClaim* claim);
  ServerHold(ServerHold&& other) noexcept;
  ServerHold& operator=(ServerHold&&) = delete;
  ~ServerHold();

 private:
  ServerHold(Server& server, Custody* custody);
  Server* server_;
  Custody* custody_;
};

}  // namespace handrail::x11

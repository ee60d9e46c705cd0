// Who would get an event now, and who got one: owners, receipts and grabs put together, and the moment of stillness
// in which looking and sending are one. Lives on the connection's thread. It judges nothing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "computer/custody.h"
#include "platform/x11/connection.h"
#include "platform/x11/display_claim.h"
#include "platform/x11/receipts.h"
#include "platform/x11/server_hold.h"
#include "platform/x11/window_owners.h"

namespace handrail::x11 {

class People;

class InputDelivery {
 public:
  struct Parts {
    Identify identify;
    std::shared_ptr<Custody> custody;     // may be null in tests: then nobody undoes anything
    std::shared_ptr<DisplayClaim> claim;  // may be null: then nobody is kept out
    std::shared_ptr<People> people;       // may be null: then nobody is waited for
    // May be null: then no app minds. See BackendParts.
    std::function<bool(std::int64_t pid)> hears_one_keyboard{};
  };
  InputDelivery(std::weak_ptr<Connection> connection, Parts parts);

  // Makes receipts run on this connection. Before any hold.
  Status start(Server& server);
  // `permission_missing` when the guardian is not there; `busy` when another session took over.
  Result<ServerHold> hold(Server& server);
  // The same with what `look` finds inside it, in one round trip. What it finds is of no use when the display is
  // another session's.
  template <class Seen>
  Result<std::pair<ServerHold, Seen>> hold_and(Server& server, const std::function<Result<Seen>()>& look);

  // Who gets a key, a keyboard grab included. A grab can only be told to be there, not whose it is: then a keycode
  // that means nothing is pressed, and its receipt names who gets keys.
  Result<Receiver> key_receiver(Server& server);
  // ALREADY_GRABBED when another client holds the pointer. Nothing is grabbed to find out.
  Pending<xcb_grab_pointer_reply_t> ask_pointer_grab(Server& server);

  // The person is in an app that would not hear them beside a second keyboard.
  Result<bool> person_would_lose_keys(Server& server);

  WindowOwners& owners() { return owners_; }
  Receipts& receipts() { return receipts_; }
  People* people() const { return parts_.people.get(); }
  Custody* custody() const { return parts_.custody.get(); }
  std::shared_ptr<Custody> shared_custody() const { return parts_.custody; }

 private:
  Status guarded();
  Result<Receiver> keyboard_holder(Server& server, const Receiver& focus);

  std::weak_ptr<Connection> connection_;
  Parts parts_;
  WindowOwners owners_;
  Receipts receipts_;
};

template <class Seen>
Result<std::pair<ServerHold, Seen>> InputDelivery::hold_and(Server& server, const std::function<Result<Seen>()>& look) {
  TRY(guarded());
  ServerHold hold = TRY(ServerHold::take(server, parts_.custody.get(), nullptr));
  std::optional<DisplayClaim::Question> asked;
  if (parts_.claim) asked.emplace(TRY(parts_.claim->ask(server)));
  TRY(server.still_acting());
  Result<Seen> seen = look();
  if (asked) TRY(parts_.claim->answer(server, std::move(*asked)));
  return std::pair(std::move(hold), TRY(std::move(seen)));
}

// For messages: "xterm (pid 12)".
std::string name_of(const Receiver& receiver);

}  // namespace handrail::x11

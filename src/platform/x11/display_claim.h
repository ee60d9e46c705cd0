// One session at a time controls one display, whatever home, user or container it comes from: an X selection that
// only one client can own. The owner says in a property who it is. A holder that was stopped while another took over
// finds out before its next event.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "computer/custody.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

class DisplayClaim {
 public:
  // The custody, which may be null, is told when the display is held up.
  // Before the connection's first call.
  explicit DisplayClaim(std::shared_ptr<Connection> connection, std::shared_ptr<Custody> custody = nullptr);
  ~DisplayClaim();

  // On any thread but the connection's. `busy` names the holder. A holder that has gone is none: the server forgets
  // the owner together with its connection. Again is harmless, and takes it anew after a lost connection.
  // `who` is one line for people: session, pid, since.
  Status take(const std::string& who, Deadline deadline);
  // Takes it from a holder that does not let go.
  Status seize(const std::string& who, Deadline deadline);
  void release() noexcept;
  // What the holder says of itself; empty when there is none.
  Result<std::string> holder(Deadline deadline);

  // Inside a task.
  Result<bool> ours(Server& server);
  // `busy` when it was taken and is no longer ours. One that was never taken is not asked for.
  Status check(Server& server);
  // The same in two halves, for pipelining. Empty when it was never taken.
  using Question = std::optional<Pending<xcb_get_selection_owner_reply_t>>;
  Result<Question> ask(Server& server);
  Status answer(Server& server, Question question);

 private:
  Status claim(const std::string& who, bool by_force, Deadline deadline);
  Result<xcb_atom_t> selection(Server& server);
  static Result<std::string> holder_of(Server& server, xcb_atom_t selection);

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Custody> custody_;
  // Of the connection's thread.
  std::uint64_t epoch_ = 0;
  xcb_atom_t selection_ = XCB_ATOM_NONE;
  xcb_window_t window_ = XCB_WINDOW_NONE;
  std::uint64_t window_epoch_ = 0;
  std::atomic<bool> wanted_ = false;
  // Until the server says that somebody else has taken it, or is lost. What acts asks the server itself all the same.
  std::shared_ptr<std::atomic<bool>> undisputed_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace handrail::x11

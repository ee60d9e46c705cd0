// Owns selections with the content of a stash, every format of it, until others copy. For a process that outlives the
// one that put the stash aside.
#pragma once

#include <memory>

#include "platform/x11/clipboard_offer.h"
#include "platform/x11/clipboard_read.h"
#include "platform/x11/clipboard_stash.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

enum class Taking { all, unowned_only };

class StashHolder {
 public:
  // Before the connection's first call.
  explicit StashHolder(std::shared_ptr<Connection> connection);

  // Takes the selections of the stash and writes the cut buffers; those that were empty are left as they are. With
  // `unowned_only`, what others own by now stays theirs.
  Status hold(const Stash& stash, Taking taking, Deadline deadline);
  // False once others have taken all of it, or the display server is gone.
  bool holding();

 private:
  struct Board;
  Status take(Server& server, const Stash& stash, xcb_window_t window, xcb_timestamp_t now, Taking taking);

  std::shared_ptr<Connection> connection_;
  SelectionReader reader_;
  std::shared_ptr<Board> board_;
};

}  // namespace handrail::x11

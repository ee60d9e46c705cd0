// Which client made a window, and which process is behind a client: by resource ids and the X-Resource extension,
// which no client can forge. It lives on the connection's thread.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "computer/ports.h"
#include "model/geometry.h"
#include "platform/x11/connection.h"
#include "platform/x11/owner_questions.h"

namespace handrail::x11 {

// A window's ancestors below the root, itself first. `not_found` when it is gone.
Result<std::vector<xcb_window_t>> lineage(Server& server, xcb_window_t window);

class WindowOwners {
 public:
  // Without an Identify only the pid is told.
  explicit WindowOwners(Identify identify) : identify_(std::move(identify)) {}

  // The deepest window there by the server's own rules: shapes, windows without pixels and unmanaged ones included.
  Result<Receiver> at(Server& server, PixelPoint pixel);
  // Who gets keys by the rules of focus; grabs are not looked at.
  Result<Receiver> focus(Server& server);
  Result<Receiver> of(Server& server, xcb_window_t window);
  // A process that is known from elsewhere. Asks the kernel only.
  Receiver process(std::int64_t pid) const;
  // A client that was seen to get an event on a window.
  Result<Receiver> client(Server& server, ClientBase client, xcb_window_t window);
  // Sends the question; read the answer later, with others.
  Result<ManagerQuestion> ask_managers(Server& server);
  // The program that frames windows and looks at presses before apps do.
  Result<bool> is_window_manager(Server& server, ClientBase client);

 private:
  using Line = std::vector<xcb_window_t>;  // a window and its ancestors below the root
  // The owner, when all links of a line that was right before still hold. One round trip.
  template <class Links>
  Result<std::optional<Receiver>> as_before(Server& server, const Line& line, Links links);
  Result<Receiver> describe(Server& server, Line line);
  Result<xcb_atom_t> manager_selection(Server& server);
  void remember(const Line& line);

  Identify identify_;
  std::uint64_t epoch_ = 0;
  xcb_atom_t manager_selection_ = XCB_ATOM_NONE;  // WM_Sn
  Line last_at_;
  std::deque<Line> lines_;  // seen lately, the newest last
};

}  // namespace handrail::x11

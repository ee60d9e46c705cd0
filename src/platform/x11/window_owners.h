// Which client made a window, and which process is behind a client: by resource ids and the X-Resource extension,
// which no client can forge. What windows say of themselves is used only where it makes a ruling stricter.
// It lives on the connection's thread.
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <cstdint>
#include <vector>

#include "computer/ports.h"
#include "model/geometry.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// The first id of the client that made a resource; 0 is the server itself. Clients are told apart by it.
using ClientBase = std::uint32_t;
ClientBase client_of(const Server& server, std::uint32_t resource);

// As the server knows it; 0 when it does not, as for clients of other machines. A client that has gone is 0 too.
Result<std::int64_t> pid_of_client(Server& server, ClientBase client);

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
  // A client that was seen to get an event on a window.
  Result<Receiver> client(Server& server, ClientBase client, xcb_window_t window);
  // The program that frames windows and looks at presses before apps do.
  Result<bool> is_window_manager(Server& server, ClientBase client);

 private:
  // Of the window whose ancestors are given, itself first.
  Result<Receiver> describe(Server& server, const std::vector<xcb_window_t>& line);
  Result<AppIdentity> identity(Server& server, ClientBase client);
  Result<std::array<ClientBase, 2>> window_managers(Server& server);

  Identify identify_;
  std::uint64_t epoch_ = 0;
  xcb_atom_t manager_selection_ = XCB_ATOM_NONE;  // WM_Sn
};

}  // namespace handrail::x11

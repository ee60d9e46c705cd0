// Everything that is asked to say who is behind a window: sent at once, so that it costs one round trip however deep
// the window lies. What windows say of themselves is used only where it makes a ruling stricter.
#pragma once

#include <xcb/res.h>
#include <xcb/xcb.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "computer/ports.h"
#include "platform/x11/connection.h"
#include "platform/x11/properties.h"

namespace handrail::x11 {

// The first id of the client that made a resource; 0 is the server itself. Clients are told apart by it.
using ClientBase = std::uint32_t;
ClientBase client_of(const Server& server, std::uint32_t resource);

// The process of a client as the server knows it: 0 when it does not, as for clients of other machines, and for a
// client that has gone.
class PidQuestion {
 public:
  PidQuestion(Server& server, ClientBase client);
  Result<std::int64_t> answer();

 private:
  std::optional<Pending<xcb_res_query_client_ids_reply_t>> pending_;
};

// The clients that frame windows and look at presses before apps do.
struct Managers {
  ClientBase owner = 0;  // of the selection, which one client has at a time
  ClientBase named = 0;  // by a property that any client can write

  // For a stricter ruling either will do; to be passed over as the manager, only the owner where there is one.
  bool may_be(ClientBase client) const { return client != 0 && (client == owner || client == named); }
  bool is(ClientBase client) const { return client != 0 && client == (owner != 0 ? owner : named); }
};

class ManagerQuestion {
 public:
  // `selection` is WM_Sn.
  ManagerQuestion(Server& server, xcb_atom_t selection);
  Result<Managers> answer(const Server& server);

 private:
  Pending<xcb_get_selection_owner_reply_t> owner_;
  PendingProperty named_;
};

// Of a window with its ancestors below the root, itself first.
class OwnerQuestions {
 public:
  OwnerQuestions(Server& server, std::vector<xcb_window_t> line, xcb_atom_t manager_selection);
  // Once. Without an Identify only the pid is told.
  Result<Receiver> answer(const Server& server, const Identify& identify);

 private:
  struct Claims {
    PendingProperty state, type, wm_class;
  };
  std::vector<xcb_window_t> line_;
  std::vector<Claims> claims_;
  PidQuestion pid_;
  ManagerQuestion managers_;
};

AppIdentity identity_of(std::int64_t pid, const Identify& identify);

}  // namespace handrail::x11

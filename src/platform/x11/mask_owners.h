// Who made a window, for deciding what may be seen: the process by the display server's word, the program by the
// kernel's. One picture asks one of these; what it learned is not kept for the next.
#pragma once

#include <xcb/res.h>
#include <xcb/xcb.h>

#include <functional>
#include <map>
#include <optional>

#include "computer/ports.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

using Shows = std::function<bool(const Receiver& owner)>;

// What a window says of itself; can only make a ruling stricter.
struct WindowClaims {
  std::string app_class;
  bool panel = false;  // a dock or a desktop
};

class MaskOwners {
 public:
  // Sends its questions; read() takes the answers. Without `identify`, or where the server cannot tell, every owner
  // is unknown. Only inside a task.
  MaskOwners(Server& server, const Identify& identify);
  Status read();

  // The connection that made a window, as the part of the id that all its windows share.
  std::uint32_t client(xcb_window_t window) const { return window & base_mask_; }
  bool of_manager(xcb_window_t window) const { return manager_ != 0 && client(window) == manager_; }
  // A translucent window is blended with what is below it.
  bool composited() const { return composited_; }
  std::int64_t pid(xcb_window_t window) const;
  Receiver receiver(xcb_window_t window, const WindowClaims& claims);

 private:
  const Identify& identify_;
  std::uint32_t base_mask_;
  std::uint32_t manager_ = 0;
  bool composited_ = false;
  std::optional<Pending<xcb_res_query_client_ids_reply_t>> clients_pending_;
  Pending<xcb_get_selection_owner_reply_t> manager_pending_;
  Pending<xcb_get_selection_owner_reply_t> compositor_pending_;
  std::map<std::uint32_t, std::int64_t> pids_;
  std::map<std::int64_t, AppIdentity> identities_;
};

}  // namespace handrail::x11

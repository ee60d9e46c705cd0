#include "platform/x11/mask_owners.h"

#include <fmt/format.h>

#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

// Of a selection whose name carries the screen number. An atom stays what it is as long as the server lives.
Result<xcb_atom_t> screen_atom(Server& server, std::string_view prefix) {
  thread_local std::map<std::pair<std::uint64_t, std::string>, xcb_atom_t> known;
  if (known.size() > 64) known.clear();
  const std::string name = fmt::format("{}{}", prefix, server.screen_number());
  const auto key = std::pair(server.epoch(), name);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const auto reply =
      TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.data()),
                       xcb_intern_atom_reply, "InternAtom"));
  return known[key] = reply->atom;
}

Pending<xcb_get_selection_owner_reply_t> ask_owner(Server& server, std::string_view prefix) {
  const auto atom = screen_atom(server, prefix);
  const xcb_atom_t selection = atom.ok() ? *atom : xcb_atom_t{XCB_ATOM_NONE};
  return server.pend(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                     "GetSelectionOwner");
}

}  // namespace

MaskOwners::MaskOwners(Server& server, const Identify& identify)
    : identify_(identify),
      base_mask_(~xcb_get_setup(server.xcb())->resource_id_mask),
      // A window manager holds this selection for as long as it runs; a property could name anybody.
      manager_pending_(ask_owner(server, "WM_S")),
      compositor_pending_(ask_owner(server, "_NET_WM_CM_S")) {
  if (!server.extensions().res.at_least(1, 2)) return;
  const xcb_res_client_id_spec_t everybody{XCB_NONE, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
  clients_pending_.emplace(server.pend(xcb_res_query_client_ids(server.xcb(), 1, &everybody),
                                       xcb_res_query_client_ids_reply, "XResQueryClientIds"));
}

Status MaskOwners::read() {
  const auto manager = TRY(manager_pending_.get());
  const auto compositor = TRY(compositor_pending_.get());
  manager_ = client(manager->owner);
  composited_ = compositor->owner != XCB_NONE;
  if (!clients_pending_) return {};
  const auto reply = TRY(clients_pending_->get());
  for (auto it = xcb_res_query_client_ids_ids_iterator(reply.get()); it.rem > 0; xcb_res_client_id_value_next(&it)) {
    if (xcb_res_client_id_value_value_length(it.data) < 1) continue;
    pids_[client(it.data->spec.client)] = *xcb_res_client_id_value_value(it.data);
  }
  return {};
}

std::int64_t MaskOwners::pid(xcb_window_t window) const {
  const auto found = pids_.find(client(window));
  return found == pids_.end() ? 0 : found->second;
}

Receiver MaskOwners::receiver(xcb_window_t window, const WindowClaims& claims) {
  Receiver owner;
  owner.window = window;
  owner.toplevel = window;
  const std::int64_t process = pid(window);
  if (process <= 0 || !identify_) return owner;
  auto known = identities_.find(process);
  if (known == identities_.end()) known = identities_.emplace(process, identify_(process)).first;
  owner.app = known->second;
  owner.app.claimed_class = claims.app_class;
  owner.kind = of_manager(window) ? ReceiverKind::window_manager
               : claims.panel     ? ReceiverKind::panel
                                  : ReceiverKind::app;
  return owner;
}

}  // namespace handrail::x11

#include "platform/x11/owner_questions.h"

#include <algorithm>

#include "platform/x11/atoms.h"
#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

bool lists_any(const Property& property, std::initializer_list<xcb_atom_t> atoms) {
  return std::ranges::any_of(property.words(),
                             [&](std::uint32_t word) { return std::ranges::find(atoms, word) != atoms.end(); });
}

}  // namespace

ClientBase client_of(const Server& server, std::uint32_t resource) {
  return resource & ~xcb_get_setup(server.xcb())->resource_id_mask;
}

PidQuestion::PidQuestion(Server& server, ClientBase client) {
  // Asked for no client, the extension tells of all.
  if (client == 0 || !server.extensions().res.at_least(1, 2)) return;
  const xcb_res_client_id_spec_t spec{client, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
  pending_.emplace(
      server.pend(xcb_res_query_client_ids(server.xcb(), 1, &spec), xcb_res_query_client_ids_reply, "QueryClientIds"));
}

Result<std::int64_t> PidQuestion::answer() {
  if (!pending_) return 0;
  const auto reply = pending_->get();
  // The server's word for a client that has gone.
  if (!reply.ok() && reply.error().code == Code::backend_error) return 0;
  if (!reply.ok()) return reply.error();
  for (auto ids = xcb_res_query_client_ids_ids_iterator(reply->get()); ids.rem > 0;
       xcb_res_client_id_value_next(&ids)) {
    const bool pid = (ids.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID) != 0;
    if (pid && xcb_res_client_id_value_value_length(ids.data) >= 1) return *xcb_res_client_id_value_value(ids.data);
  }
  return 0;
}

ManagerQuestion::ManagerQuestion(Server& server, xcb_atom_t selection)
    : owner_(server.pend(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                         "GetSelectionOwner")),
      named_(ask_property(server, server.root(), server.atoms().net_supporting_wm_check, 1)) {}

Result<Managers> ManagerQuestion::answer(const Server& server) {
  const auto owner = TRY(owner_.get());
  const Property check = TRY(named_.get());
  const xcb_window_t named = check.words().empty() ? xcb_window_t{XCB_WINDOW_NONE} : check.words()[0];
  return Managers{client_of(server, owner->owner), client_of(server, named)};
}

OwnerQuestions::OwnerQuestions(Server& server, std::vector<xcb_window_t> line, xcb_atom_t manager_selection)
    : line_(std::move(line)),
      pid_(server, line_.empty() ? ClientBase{0} : client_of(server, line_.front())),
      managers_(server, manager_selection) {
  claims_.reserve(line_.size());
  for (const xcb_window_t window : line_) {
    claims_.push_back({ask_property(server, window, server.atoms().wm_state, 2),
                       ask_property(server, window, server.atoms().net_wm_window_type, 16),
                       ask_property(server, window, XCB_ATOM_WM_CLASS, 64)});
  }
}

Result<Receiver> OwnerQuestions::answer(const Server& server, const Identify& identify) {
  Receiver receiver;
  if (line_.empty()) {
    receiver.kind = ReceiverKind::root;
    receiver.window = server.root();
    return receiver;
  }
  receiver.window = line_.front();
  const ClientBase client = client_of(server, line_.front());
  receiver.app = identity_of(TRY(pid_.answer()), identify);
  const Managers managers = TRY(managers_.answer(server));
  bool panel = false;
  std::string outermost_class;
  for (std::size_t i = 0; i < line_.size(); ++i) {
    const Property state = TRY(claims_[i].state.get());
    const Property type = TRY(claims_[i].type.get());
    const Property wm_class = TRY(claims_[i].wm_class.get());
    // Frames belong to the window manager and say nothing about the app.
    if (client_of(server, line_[i]) != client) continue;
    if (receiver.toplevel == 0 && state.present()) receiver.toplevel = line_[i];
    panel =
        panel || lists_any(type, {server.atoms().net_wm_window_type_dock, server.atoms().net_wm_window_type_desktop});
    if (wm_class.present()) outermost_class = second_string(wm_class.bytes());
  }
  receiver.app.claimed_class = outermost_class;
  const bool manager = managers.may_be(client);
  // Unmanaged windows, menus for one, are named by the child of the root that they are or are in.
  if (receiver.toplevel == 0 && !manager) receiver.toplevel = line_.back();
  receiver.kind = client == 0 ? ReceiverKind::root
                  : manager   ? ReceiverKind::window_manager
                  : panel     ? ReceiverKind::panel
                              : ReceiverKind::app;
  return receiver;
}

AppIdentity identity_of(std::int64_t pid, const Identify& identify) {
  if (pid <= 0) return {};
  if (identify) return identify(pid);
  AppIdentity app;
  app.pid = pid;
  return app;
}

}  // namespace handrail::x11

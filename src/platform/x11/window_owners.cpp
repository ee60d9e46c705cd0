#include "platform/x11/window_owners.h"

#include <fmt/format.h>
#include <xcb/res.h>

#include <algorithm>
#include <optional>

#include "platform/x11/atoms.h"
#include "platform/x11/extensions.h"
#include "platform/x11/properties.h"

namespace handrail::x11 {
namespace {

// Windows nest a few levels; the bound is for a tree that changes under the walk.
constexpr int kMaxDepth = 64;
// A window that goes away under the walk starts it again.
constexpr int kAttempts = 5;

template <class T, class Walk>
Result<T> again_if_gone(Walk walk) {
  Result<T> result = walk();
  for (int i = 1; i < kAttempts && !result.ok() && result.error().code == Code::not_found; ++i) result = walk();
  return result;
}

bool lists_any(const Property& property, std::initializer_list<xcb_atom_t> atoms) {
  return std::ranges::any_of(property.words(),
                             [&](std::uint32_t word) { return std::ranges::find(atoms, word) != atoms.end(); });
}

}  // namespace

ClientBase client_of(const Server& server, std::uint32_t resource) {
  return resource & ~xcb_get_setup(server.xcb())->resource_id_mask;
}

Result<std::int64_t> pid_of_client(Server& server, ClientBase client) {
  // Asked for no client, the extension tells of all.
  if (client == 0 || !server.extensions().res.at_least(1, 2)) return 0;
  const xcb_res_client_id_spec_t spec{client, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
  const auto reply =
      server.reply(xcb_res_query_client_ids(server.xcb(), 1, &spec), xcb_res_query_client_ids_reply, "QueryClientIds");
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

Result<std::vector<xcb_window_t>> lineage(Server& server, xcb_window_t window) {
  std::vector<xcb_window_t> line;
  for (int depth = 0; depth < kMaxDepth && window != server.root() && window != XCB_WINDOW_NONE; ++depth) {
    line.push_back(window);
    window = TRY(server.reply(xcb_query_tree(server.xcb(), window), xcb_query_tree_reply, "QueryTree"))->parent;
  }
  return line;
}

Result<std::array<ClientBase, 2>> WindowOwners::window_managers(Server& server) {
  if (epoch_ != server.epoch()) {
    const std::string name = fmt::format("WM_S{}", server.screen_number());
    manager_selection_ =
        TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.data()),
                         xcb_intern_atom_reply, "InternAtom"))
            ->atom;
    epoch_ = server.epoch();
  }
  auto owner = server.pend(xcb_get_selection_owner(server.xcb(), manager_selection_), xcb_get_selection_owner_reply,
                           "GetSelectionOwner");
  auto named = ask_property(server, server.root(), server.atoms().net_supporting_wm_check, 1);
  const Property check = TRY(named.get());
  const xcb_window_t named_window = check.words().empty() ? xcb_window_t{XCB_WINDOW_NONE} : check.words()[0];
  return std::array{client_of(server, TRY(owner.get())->owner), client_of(server, named_window)};
}

Result<bool> WindowOwners::is_window_manager(Server& server, ClientBase client) {
  // Who owns the selection is one client at a time; the property can be written by any.
  const auto [owner, named] = TRY(window_managers(server));
  return client != 0 && client == (owner != 0 ? owner : named);
}

Result<AppIdentity> WindowOwners::identity(Server& server, ClientBase client) {
  const std::int64_t pid = TRY(pid_of_client(server, client));
  if (pid <= 0) return AppIdentity{};
  if (identify_) return identify_(pid);
  AppIdentity app;
  app.pid = pid;
  return app;
}

Result<Receiver> WindowOwners::describe(Server& server, const std::vector<xcb_window_t>& line) {
  Receiver receiver;
  if (line.empty()) {
    receiver.kind = ReceiverKind::root;
    receiver.window = server.root();
    return receiver;
  }
  receiver.window = line.front();
  struct Asked {
    PendingProperty state, type, wm_class;
  };
  std::vector<Asked> asked;
  asked.reserve(line.size());
  for (const xcb_window_t window : line) {
    asked.push_back({ask_property(server, window, server.atoms().wm_state, 2),
                     ask_property(server, window, server.atoms().net_wm_window_type, 16),
                     ask_property(server, window, XCB_ATOM_WM_CLASS, 64)});
  }
  const ClientBase client = client_of(server, line.front());
  receiver.app = TRY(identity(server, client));
  const auto managers = TRY(window_managers(server));
  bool panel = false;
  std::string outermost_class;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Property state = TRY(asked[i].state.get());
    const Property type = TRY(asked[i].type.get());
    const Property wm_class = TRY(asked[i].wm_class.get());
    // Frames belong to the window manager and say nothing about the app.
    if (client_of(server, line[i]) != client) continue;
    if (receiver.toplevel == 0 && state.present()) receiver.toplevel = line[i];
    panel =
        panel || lists_any(type, {server.atoms().net_wm_window_type_dock, server.atoms().net_wm_window_type_desktop});
    if (wm_class.present()) outermost_class = second_string(wm_class.bytes());
  }
  receiver.app.claimed_class = outermost_class;
  const bool manager = client != 0 && (client == managers[0] || client == managers[1]);
  // Unmanaged windows, menus for one, are named by the child of the root that they are or are in.
  if (receiver.toplevel == 0 && !manager) receiver.toplevel = line.back();
  receiver.kind = client == 0 ? ReceiverKind::root
                  : manager   ? ReceiverKind::window_manager
                  : panel     ? ReceiverKind::panel
                              : ReceiverKind::app;
  return receiver;
}

Result<Receiver> WindowOwners::at(Server& server, PixelPoint pixel) {
  return again_if_gone<Receiver>([&]() -> Result<Receiver> {
    std::vector<xcb_window_t> line;
    xcb_window_t window = server.root();
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      const auto inside = TRY(server.reply(
          xcb_translate_coordinates(server.xcb(), server.root(), window, static_cast<std::int16_t>(pixel.x),
                                    static_cast<std::int16_t>(pixel.y)),
          xcb_translate_coordinates_reply, "TranslateCoordinates"));
      if (inside->child == XCB_WINDOW_NONE) break;
      window = inside->child;
      line.insert(line.begin(), window);
    }
    return describe(server, line);
  });
}

Result<Receiver> WindowOwners::focus(Server& server) {
  return again_if_gone<Receiver>([&]() -> Result<Receiver> {
    const auto focus = TRY(server.reply(xcb_get_input_focus(server.xcb()), xcb_get_input_focus_reply, "GetInputFocus"));
    if (focus->focus == XCB_WINDOW_NONE) {
      Receiver receiver;
      receiver.kind = ReceiverKind::nobody;
      return receiver;
    }
    const bool by_pointer = focus->focus == XCB_INPUT_FOCUS_POINTER_ROOT;
    const xcb_window_t focused = by_pointer ? server.root() : focus->focus;
    // A key goes to the window under the pointer when that is inside the focused one.
    xcb_window_t receiver = focused;
    xcb_window_t deepest = focused;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      const auto pointer =
          TRY(server.reply(xcb_query_pointer(server.xcb(), deepest), xcb_query_pointer_reply, "QueryPointer"));
      if (pointer->child == XCB_WINDOW_NONE) break;
      deepest = pointer->child;
      // Another client's window in the app's own is who may get it; the app's own children are the app.
      if (by_pointer || client_of(server, deepest) != client_of(server, focused)) receiver = deepest;
    }
    const auto line = TRY(lineage(server, receiver));
    return describe(server, line);
  });
}

Result<Receiver> WindowOwners::of(Server& server, xcb_window_t window) {
  const auto line = TRY(lineage(server, window));
  return describe(server, line);
}

Result<Receiver> WindowOwners::client(Server& server, ClientBase client, xcb_window_t window) {
  Receiver receiver;
  receiver.window = window;
  if (window != server.root() && client_of(server, window) == client) {
    auto described = of(server, window);
    // It may have taken its window away since.
    if (described.ok() || described.error().code != Code::not_found) return described;
  }
  receiver.app = TRY(identity(server, client));
  const auto managers = TRY(window_managers(server));
  const bool manager = client != 0 && (client == managers[0] || client == managers[1]);
  receiver.kind = manager                   ? ReceiverKind::window_manager
                  : window == server.root() ? ReceiverKind::root
                                            : ReceiverKind::app;
  return receiver;
}

}  // namespace handrail::x11

#include "platform/x11/clipboard_holder.h"

#include <map>

#include "platform/x11/atoms.h"

namespace handrail::x11 {
namespace {

using AtomTable = std::map<std::string, xcb_atom_t>;

// All names of a stash in one round trip.
Result<AtomTable> intern_all(Server& server, const Stash& stash) {
  AtomTable table;
  for (const StashedSelection& selection : stash.selections) {
    table[selection.selection];
    for (const StashedFormat& format : selection.formats) {
      table[format.target];
      table[format.type];
    }
  }
  for (const StashedFormat& buffer : stash.cut_buffers) {
    table[buffer.target];
    table[buffer.type];
  }
  std::vector<Pending<xcb_intern_atom_reply_t>> pending;
  for (const auto& [name, atom] : table) {
    pending.push_back(
        server.pend(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.c_str()),
                    xcb_intern_atom_reply, "InternAtom"));
  }
  auto next = pending.begin();
  for (auto& [name, atom] : table) {
    const auto reply = TRY((next++)->get());
    atom = reply->atom;
  }
  return table;
}

Result<xcb_window_t> owner_of(Server& server, xcb_atom_t selection) {
  const auto reply = TRY(server.reply(xcb_get_selection_owner(server.xcb(), selection), xcb_get_selection_owner_reply,
                                      "GetSelectionOwner"));
  return reply->owner;
}

}  // namespace

struct StashHolder::Board {
  SelectionServer served;  // connection's thread only
  xcb_window_t window = XCB_WINDOW_NONE;
};

StashHolder::StashHolder(std::shared_ptr<Connection> connection)
    : connection_(connection), reader_(connection), board_(std::make_shared<Board>()) {
  connection_->on_open([board = board_](Server&) -> Status {
    board->served.reset();
    board->window = XCB_WINDOW_NONE;
    return {};
  });
  connection_->on_event(
      [board = board_](Server& server, const xcb_generic_event_t& event) { board->served.handle(server, event); });
}

Status StashHolder::hold(const Stash& stash, Taking taking, Deadline deadline) {
  const auto window = TRY(connection_->call<xcb_window_t>(deadline, [&](Server& server) -> Result<xcb_window_t> {
    if (board_->window == XCB_WINDOW_NONE) board_->window = make_selection_window(server);
    return board_->window;
  }));
  const xcb_timestamp_t now = TRY(reader_.server_time(window, deadline));
  const auto taken = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    TRY(take(server, stash, window, now, taking));
    return Unit{};
  });
  if (!taken.ok()) return taken.error();
  return {};
}

Status StashHolder::take(Server& server, const Stash& stash, xcb_window_t window, xcb_timestamp_t now, Taking taking) {
  const AtomTable atoms = TRY(intern_all(server, stash));
  for (const StashedSelection& selection : stash.selections) {
    const xcb_atom_t name = atoms.at(selection.selection);
    if (taking == Taking::unowned_only) {
      const xcb_window_t owner = TRY(owner_of(server, name));
      if (owner != XCB_WINDOW_NONE) continue;
    }
    SelectionOffer offer{window, now, {}, {}};
    for (const StashedFormat& format : selection.formats) {
      offer.formats.push_back({atoms.at(format.target), atoms.at(format.type),
                               std::make_shared<const std::string>(format.bytes), format.format});
    }
    // First, as a requestor can come between the two.
    board_->served.offer(name, std::move(offer));
    xcb_set_selection_owner(server.xcb(), window, name, now);
    const xcb_window_t owner = TRY(owner_of(server, name));
    // A person who copies at the same moment has copied later than what is restored.
    if (owner != window) board_->served.withdraw(name);
  }
  if (taking == Taking::unowned_only) return {};
  for (const StashedFormat& buffer : stash.cut_buffers) {
    xcb_change_property(server.xcb(), XCB_PROP_MODE_REPLACE, server.root(), atoms.at(buffer.target),
                        atoms.at(buffer.type), buffer.format,
                        static_cast<std::uint32_t>(buffer.bytes.size() * 8 / buffer.format), buffer.bytes.data());
  }
  return server.fence();
}

bool StashHolder::holding() {
  if (!connection_->connected()) return false;
  const auto held = connection_->call<bool>(Deadline::in(kBackendPatience), [&](Server& server) -> Result<bool> {
    TRY(server.fence());
    return !board_->served.empty();
  });
  // A server that is slow still has us as its owner.
  return held.ok() ? *held : connection_->connected();
}

}  // namespace handrail::x11

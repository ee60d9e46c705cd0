#include "platform/x11/window_list.h"

#include <xcb/res.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "platform/x11/atoms.h"
#include "platform/x11/displays.h"
#include "platform/x11/extensions.h"
#include "platform/x11/properties.h"

namespace handrail::x11 {
namespace {

constexpr std::uint32_t kTitleWords = 256;
constexpr std::uint32_t kIconicState = 3;  // ICCCM 4.1.3.1
constexpr std::uint32_t kAllDesktops = 0xffffffff;

// What is in flight for one window.
struct Query {
  xcb_window_t window;
  Pending<xcb_get_window_attributes_reply_t> attributes;
  Pending<xcb_get_geometry_reply_t> geometry;
  Pending<xcb_translate_coordinates_reply_t> place;
  Pending<xcb_query_tree_reply_t> tree;
  PendingProperty utf8_title, title, app, wm_state, net_state, desktop, gtk_extents;
};

Query ask(Server& server, xcb_window_t w) {
  xcb_connection_t* xcb = server.xcb();
  const Atoms& atoms = server.atoms();
  return Query{
      w,
      server.pend(xcb_get_window_attributes(xcb, w), xcb_get_window_attributes_reply, "GetWindowAttributes"),
      server.pend(xcb_get_geometry(xcb, w), xcb_get_geometry_reply, "GetGeometry"),
      server.pend(xcb_translate_coordinates(xcb, w, server.root(), 0, 0), xcb_translate_coordinates_reply,
                  "TranslateCoordinates"),
      server.pend(xcb_query_tree(xcb, w), xcb_query_tree_reply, "QueryTree"),
      ask_property(server, w, atoms.net_wm_name, kTitleWords),
      ask_property(server, w, XCB_ATOM_WM_NAME, kTitleWords),
      ask_property(server, w, XCB_ATOM_WM_CLASS, kTitleWords),
      ask_property(server, w, atoms.wm_state, 2),
      ask_property(server, w, atoms.net_wm_state, 32),
      ask_property(server, w, atoms.net_wm_desktop, 1),
      ask_property(server, w, atoms.gtk_frame_extents, 4),
  };
}

// XRes knows which process holds the connection that made a window; _NET_WM_PID is what an app claims.
class Owners {
 public:
  Owners(Server& server, std::span<const xcb_window_t> windows)
      : base_mask_(~xcb_get_setup(server.xcb())->resource_id_mask) {
    if (!server.extensions().res.at_least(1, 2) || windows.empty()) return;
    std::vector<xcb_res_client_id_spec_t> specs;
    for (const xcb_window_t window : windows) specs.push_back({window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID});
    pending_.emplace(
        server.pend(xcb_res_query_client_ids(server.xcb(), static_cast<std::uint32_t>(specs.size()), specs.data()),
                    xcb_res_query_client_ids_reply, "XResQueryClientIds"));
  }

  Status read() {
    if (!pending_) return {};
    const auto reply = TRY(pending_->get());
    for (auto it = xcb_res_query_client_ids_ids_iterator(reply.get()); it.rem > 0; xcb_res_client_id_value_next(&it)) {
      if (xcb_res_client_id_value_value_length(it.data) < 1) continue;
      pids_[it.data->spec.client & base_mask_] = *xcb_res_client_id_value_value(it.data);
    }
    return {};
  }
  std::int64_t of(xcb_window_t window) const {
    const auto found = pids_.find(window & base_mask_);
    return found == pids_.end() ? 0 : found->second;
  }

 private:
  std::uint32_t base_mask_;
  std::optional<Pending<xcb_res_query_client_ids_reply_t>> pending_;
  std::map<std::uint32_t, std::uint32_t> pids_;
};

WindowState state_of(const Atoms& atoms, const Property& wm_state, const Property& net_state) {
  const auto states = net_state.words();
  const auto has = [&](xcb_atom_t atom) { return std::find(states.begin(), states.end(), atom) != states.end(); };
  const auto icccm = wm_state.words();
  if ((!icccm.empty() && icccm[0] == kIconicState) || has(atoms.net_wm_state_hidden)) return WindowState::minimised;
  if (has(atoms.net_wm_state_fullscreen)) return WindowState::fullscreen;
  if (has(atoms.net_wm_state_maximized_vert) && has(atoms.net_wm_state_maximized_horz)) return WindowState::maximised;
  return WindowState::normal;
}

// What the replies say, but for the frame around it. `not_found` when the window went away.
struct Reading {
  WindowFacts facts;
  xcb_window_t parent = XCB_NONE;
  bool override_redirect = false;
  bool input_only = false;
  std::vector<std::uint32_t> shadow;  // left, right, top, bottom
};

Result<Reading> read(Server& server, Query& query) {
  const auto attributes = TRY(query.attributes.get());
  const auto geometry = TRY(query.geometry.get());
  const auto place = TRY(query.place.get());
  const auto tree = TRY(query.tree.get());
  const Property utf8_title = TRY(query.utf8_title.get()), title = TRY(query.title.get());
  const Property app = TRY(query.app.get());
  const Property wm_state = TRY(query.wm_state.get()), net_state = TRY(query.net_state.get());
  const Property desktop = TRY(query.desktop.get()), extents = TRY(query.gtk_extents.get());

  Reading reading;
  reading.parent = tree->parent;
  reading.override_redirect = attributes->override_redirect != 0;
  reading.input_only = attributes->_class == XCB_WINDOW_CLASS_INPUT_ONLY;
  if (extents.words().size() == 4) reading.shadow.assign(extents.words().begin(), extents.words().end());
  WindowFacts& facts = reading.facts;
  facts.content = {place->dst_x, place->dst_y, geometry->width, geometry->height};
  Window& window = facts.window;
  window.id = query.window;
  window.title = utf8_title.bytes().empty() ? title.text(server.atoms()) : utf8_title.text(server.atoms());
  window.app = second_string(app.bytes());
  if (!desktop.words().empty()) {
    window.workspace = desktop.words()[0] == kAllDesktops ? -1 : static_cast<int>(desktop.words()[0]);
  }
  window.state = state_of(server.atoms(), wm_state, net_state);
  window.visible = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
  return reading;
}

// The child of the root that each window is in. Window managers put one window around a client; a few
// put more, and those cost a round trip a level.
Status find_frames(Server& server, std::vector<Reading>& readings, const std::set<xcb_window_t>& top_levels) {
  for (Reading& reading : readings) {
    xcb_window_t at = static_cast<xcb_window_t>(reading.facts.window.id);
    xcb_window_t parent = reading.parent;
    while (parent != server.root() && parent != XCB_NONE) {
      at = parent;
      if (top_levels.contains(at)) break;
      const auto tree = server.reply(xcb_query_tree(server.xcb(), at), xcb_query_tree_reply, "QueryTree");
      if (!tree.ok() && tree.error().code != Code::not_found) return tree.error();
      if (!tree.ok()) break;
      parent = (*tree)->parent;
    }
    reading.facts.frame = at;
  }
  return {};
}

Status measure_frames(Server& server, std::vector<Reading>& readings, double scale) {
  std::vector<Pending<xcb_get_geometry_reply_t>> pending;
  for (const Reading& reading : readings) {
    pending.push_back(
        server.pend(xcb_get_geometry(server.xcb(), reading.facts.frame), xcb_get_geometry_reply, "GetGeometry"));
  }
  for (std::size_t i = 0; i < readings.size(); ++i) {
    WindowFacts& facts = readings[i].facts;
    const auto geometry = pending[i].get();
    if (!geometry.ok() && geometry.error().code != Code::not_found) return geometry.error();
    facts.bounds = facts.content;
    if (geometry.ok()) {
      const auto& g = **geometry;
      facts.bounds = {g.x, g.y, g.width + 2 * g.border_width, g.height + 2 * g.border_width};
    }
    facts.shadow_box = facts.bounds;
    const auto& shadow = readings[i].shadow;
    if (shadow.size() == 4) {
      const auto trim = [&](PixelRect& r) {
        r = {r.x + static_cast<int>(shadow[0]), r.y + static_cast<int>(shadow[2]),
             r.width - static_cast<int>(shadow[0] + shadow[1]), r.height - static_cast<int>(shadow[2] + shadow[3])};
      };
      trim(facts.bounds);
      trim(facts.content);
    }
    facts.window.bounds = to_points(facts.bounds, scale);
    facts.window.content = to_points(facts.content, scale);
  }
  return {};
}

// The listed window that holds the input focus: itself or by a descendant.
Result<xcb_window_t> focused_window(Server& server, xcb_window_t focus, const std::vector<Reading>& readings) {
  while (focus != XCB_NONE && focus != XCB_INPUT_FOCUS_POINTER_ROOT && focus != server.root()) {
    for (const Reading& reading : readings) {
      if (reading.facts.window.id == focus) return focus;
    }
    const auto tree = server.reply(xcb_query_tree(server.xcb(), focus), xcb_query_tree_reply, "QueryTree");
    if (!tree.ok() && tree.error().code != Code::not_found) return tree.error();
    if (!tree.ok()) break;
    focus = (*tree)->parent;
  }
  return xcb_window_t{XCB_NONE};
}

// Which windows there are, and whether somebody manages them.
struct Roster {
  bool managed = false;
  std::vector<xcb_window_t> windows;
  std::set<xcb_window_t> top_levels;
  xcb_window_t focus = XCB_NONE;
};

Result<Roster> read_roster(Server& server) {
  const Atoms& atoms = server.atoms();
  auto stacking_pending = ask_property(server, server.root(), atoms.net_client_list_stacking, 4096);
  auto clients_pending = ask_property(server, server.root(), atoms.net_client_list, 4096);
  auto check_pending = ask_property(server, server.root(), atoms.net_supporting_wm_check, 1);
  auto focus_pending = server.pend(xcb_get_input_focus(server.xcb()), xcb_get_input_focus_reply, "GetInputFocus");
  const auto tree = TRY(server.reply(xcb_query_tree(server.xcb(), server.root()), xcb_query_tree_reply, "QueryTree"));
  const std::span children(xcb_query_tree_children(tree.get()),
                           static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())));
  Roster roster;
  roster.top_levels = {children.begin(), children.end()};
  roster.focus = TRY(focus_pending.get())->focus;
  const Property stacking = TRY(stacking_pending.get()), clients = TRY(clients_pending.get());
  const Property check = TRY(check_pending.get());
  // The property outlives a window manager that crashed; its own window does not.
  roster.managed = !check.words().empty() && roster.top_levels.contains(check.words()[0]);
  if (roster.managed) {
    const auto listed = stacking.words().empty() ? clients.words() : stacking.words();
    roster.windows.assign(listed.begin(), listed.end());
  } else {
    roster.windows.assign(children.begin(), children.end());
  }
  return roster;
}

enum class Unmapped { leave_out, keep };

Result<WindowList> read_listed(Server& server, const Roster& roster, Unmapped unmapped, double scale) {
  std::vector<Query> queries;
  queries.reserve(roster.windows.size());
  for (const xcb_window_t window : roster.windows) queries.push_back(ask(server, window));
  Owners owners(server, roster.windows);

  std::vector<Reading> readings;
  for (Query& query : queries) {
    auto reading = read(server, query);
    if (!reading.ok() && reading.error().code == Code::not_found) continue;
    if (!reading.ok()) return reading.error();
    const bool shown = unmapped == Unmapped::keep || reading->facts.window.visible;
    if (!roster.managed && (reading->override_redirect || reading->input_only || !shown)) continue;
    readings.push_back(std::move(*reading));
  }
  TRY(owners.read());
  TRY(find_frames(server, readings, roster.top_levels));
  TRY(measure_frames(server, readings, scale));

  WindowList list;
  list.managed = roster.managed;
  const xcb_window_t focused = TRY(focused_window(server, roster.focus, readings));
  for (Reading& reading : readings) {
    Window& window = reading.facts.window;
    window.pid = owners.of(static_cast<xcb_window_t>(window.id));
    window.stacking = static_cast<int>(list.windows.size());
    window.focused = window.id == focused;
    if (!roster.managed && !window.visible) window.state = WindowState::minimised;
    list.windows.push_back(std::move(reading.facts));
  }
  return list;
}

}  // namespace

Result<WindowList> read_windows(Server& server, double scale) {
  return read_listed(server, TRY(read_roster(server)), Unmapped::leave_out, scale);
}

Result<WindowList> read_window(Server& server, xcb_window_t window, double scale) {
  Roster roster = TRY(read_roster(server));
  const auto listed = std::find(roster.windows.begin(), roster.windows.end(), window);
  const bool found = listed != roster.windows.end();
  const auto stacking = static_cast<int>(listed - roster.windows.begin());
  roster.windows.clear();
  if (found) roster.windows.push_back(window);
  WindowList list = TRY(read_listed(server, roster, Unmapped::keep, scale));
  for (WindowFacts& facts : list.windows) facts.window.stacking = stacking;
  return list;
}

}  // namespace handrail::x11

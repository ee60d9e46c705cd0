#include "platform/x11/app_windows.h"

#include <algorithm>
#include <set>
#include <span>

#include "platform/x11/mask_owners.h"
#include "platform/x11/properties.h"
#include "platform/x11/window_list.h"

namespace handrail::x11 {
namespace {

// The window with its shadow: what was trimmed off the frame was trimmed off the window.
PixelRect with_shadow(const WindowFacts& facts) {
  const int left = facts.bounds.x - facts.shadow_box.x, top = facts.bounds.y - facts.shadow_box.y;
  return {facts.content.x - left, facts.content.y - top,
          facts.content.width + facts.shadow_box.width - facts.bounds.width,
          facts.content.height + facts.shadow_box.height - facts.bounds.height};
}

// Menus and other windows that place themselves.
Status add_unmanaged(Server& server, const std::set<xcb_window_t>& frames, double scale,
                     std::vector<AppWindow>& windows) {
  const Identify nobody;
  MaskOwners owners(server, nobody);
  const auto tree = TRY(server.reply(xcb_query_tree(server.xcb(), server.root()), xcb_query_tree_reply, "QueryTree"));
  struct Query {
    xcb_window_t window;
    Pending<xcb_get_window_attributes_reply_t> attributes;
    Pending<xcb_get_geometry_reply_t> geometry;
    PendingProperty type;
  };
  std::vector<Query> queries;
  for (const xcb_window_t window : std::span(xcb_query_tree_children(tree.get()),
                                             static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())))) {
    if (frames.contains(window)) continue;
    queries.push_back({window,
                       server.pend(xcb_get_window_attributes(server.xcb(), window), xcb_get_window_attributes_reply,
                                   "GetWindowAttributes"),
                       server.pend(xcb_get_geometry(server.xcb(), window), xcb_get_geometry_reply, "GetGeometry"),
                       ask_property(server, window, server.atoms().net_wm_window_type, 4)});
  }
  TRY(owners.read());
  for (Query& query : queries) {
    const auto attributes = query.attributes.get();
    const auto geometry = query.geometry.get();
    // A window that has gone shows nothing.
    if (!attributes.ok() || !geometry.ok()) continue;
    const bool drawn =
        (*attributes)->map_state == XCB_MAP_STATE_VIEWABLE && (*attributes)->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
    if (!drawn) continue;
    const auto& g = **geometry;
    const Rect frame = to_points({g.x, g.y, g.width + 2 * g.border_width, g.height + 2 * g.border_width}, scale);
    const Rect inside = to_points({g.x + g.border_width, g.y + g.border_width, g.width, g.height}, scale);
    windows.push_back({owners.pid(query.window), frame, inside, inside, query.window});
    const auto type = query.type.get();
    if (!type.ok()) continue;
    const auto types = type->words();
    windows.back().is_hint =
        std::find(types.begin(), types.end(), server.atoms().net_wm_window_type_tooltip) != types.end();
  }
  return {};
}

}  // namespace

Result<std::vector<AppWindow>> app_windows(Connection& connection, DisplayLayout& layout, Deadline deadline) {
  return connection.call<std::vector<AppWindow>>(deadline, [&](Server& server) -> Result<std::vector<AppWindow>> {
    const double scale = TRY(layout.displays(server)).front().scale;
    const WindowList list = TRY(read_windows(server, scale));
    std::vector<AppWindow> windows;
    std::set<xcb_window_t> frames;
    for (const WindowFacts& facts : list.windows) {
      frames.insert(facts.frame);
      windows.push_back({facts.window.pid, to_points(facts.shadow_box, scale), to_points(with_shadow(facts), scale),
                         facts.window.content, facts.window.id, facts.window.title});
    }
    TRY(add_unmanaged(server, frames, scale, windows));
    return windows;
  });
}

}  // namespace handrail::x11

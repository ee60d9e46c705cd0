#include "platform/x11/painted.h"

#include <xcb/damage.h>

#include <algorithm>
#include <span>

#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

constexpr Millis kOwnPace{60};     // an app that paints is given this long
constexpr Millis kWhenAsked{250};  // and this long once it was asked to

struct Watched {
  xcb_damage_damage_t damage = XCB_NONE;
  xcb_xfixes_region_t region = XCB_NONE;
  Size size;
  bool whole = false;       // all of it is painted
  bool asked = false;       // to paint again
  bool last_whole = false;  // when it was unmapped
  std::uint64_t life = 0;
  TimePoint since;  // of this life, or of asking
};

long area(const std::vector<PixelRect>& parts) {
  long sum = 0;
  for (const PixelRect& part : parts) sum += static_cast<long>(part.width) * part.height;
  return sum;
}

}  // namespace

struct PaintedWindows::State {
  std::map<xcb_window_t, Watched> windows;
  std::uint64_t lives = 0;
  xcb_xfixes_region_t nothing = XCB_NONE;
  bool able = false;

  void watch(Server& server, xcb_window_t window, bool whole) {
    forget(server, window);
    Watched& watched = windows[window];
    watched.damage = xcb_generate_id(server.xcb());
    watched.region = xcb_generate_id(server.xcb());
    watched.life = ++lives;
    watched.since = Clock::now();
    watched.whole = whole;
    xcb_damage_create(server.xcb(), watched.damage, window, XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
    xcb_xfixes_create_region(server.xcb(), watched.region, 0, nullptr);
    // It starts as the whole window, painted or not.
    xcb_damage_subtract(server.xcb(), watched.damage, XCB_NONE, XCB_NONE);
  }
  void forget(Server& server, xcb_window_t window) {
    const auto known = windows.find(window);
    if (known == windows.end()) return;
    // The server has freed the damage of a window that is gone: an error that nobody minds.
    xcb_damage_destroy(server.xcb(), known->second.damage);
    xcb_xfixes_destroy_region(server.xcb(), known->second.region);
    windows.erase(known);
  }
  // What it shows from here on is not what was painted before.
  void renew(Server& server, xcb_window_t window) {
    const auto known = windows.find(window);
    if (known == windows.end()) return;
    Watched& watched = known->second;
    watched.whole = watched.asked = false;
    watched.life = ++lives;
    watched.since = Clock::now();
    xcb_damage_subtract(server.xcb(), watched.damage, XCB_NONE, XCB_NONE);
    xcb_xfixes_set_region(server.xcb(), watched.region, 0, nullptr);
  }
  Status open(Server& server);
  void hear(Server& server, const xcb_generic_event_t& event);
};

PaintedWindows::PaintedWindows(Connection& connection) : state_(std::make_shared<State>()) {
  connection.on_open([state = state_](Server& server) { return state->open(server); });
  connection.on_event(
      [state = state_](Server& server, const xcb_generic_event_t& event) { state->hear(server, event); });
}

Status PaintedWindows::State::open(Server& server) {
  windows.clear();
  able = server.extensions().damage.present() && server.extensions().xfixes.at_least(2, 0);
  if (!able) return {};
  server.watch(server.root(), XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
  nothing = xcb_generate_id(server.xcb());
  xcb_xfixes_create_region(server.xcb(), nothing, 0, nullptr);
  const auto tree = TRY(server.reply(xcb_query_tree(server.xcb(), server.root()), xcb_query_tree_reply, "QueryTree"));
  const std::span children(xcb_query_tree_children(tree.get()),
                           static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())));
  std::vector<Pending<xcb_get_geometry_reply_t>> sizes;
  for (const xcb_window_t window : children) {
    sizes.push_back(server.pend(xcb_get_geometry(server.xcb(), window), xcb_get_geometry_reply, "GetGeometry"));
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto size = sizes[i].get();
    if (!size.ok() && size.error().code != Code::not_found) return size.error();
    if (!size.ok()) continue;
    // Was there before us, and has had its time.
    watch(server, children[i], true);
    windows[children[i]].size = {(*size)->width, (*size)->height};
  }
  return {};
}

void PaintedWindows::State::hear(Server& server, const xcb_generic_event_t& event) {
  if (!able) return;
  switch (event.response_type & 0x7f) {
    case XCB_CREATE_NOTIFY: {
      const auto& created = reinterpret_cast<const xcb_create_notify_event_t&>(event);
      if (created.parent != server.root()) break;
      watch(server, created.window, false);
      windows[created.window].size = {created.width, created.height};
      break;
    }
    case XCB_REPARENT_NOTIFY: {
      const auto& moved = reinterpret_cast<const xcb_reparent_notify_event_t&>(event);
      if (moved.parent == server.root()) {
        watch(server, moved.window, false);
      } else {
        forget(server, moved.window);
      }
      break;
    }
    case XCB_DESTROY_NOTIFY: forget(server, reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window); break;
    // The server counts all of a window as damaged when it is mapped. What the app painted before we heard of it is
    // lost with that, so it may be asked to paint again; most paint later.
    case XCB_MAP_NOTIFY: renew(server, reinterpret_cast<const xcb_map_notify_event_t&>(event).window); break;
    case XCB_UNMAP_NOTIFY: {
      const xcb_window_t window = reinterpret_cast<const xcb_unmap_notify_event_t&>(event).window;
      const auto known = windows.find(window);
      if (known != windows.end()) known->second.last_whole = known->second.whole;
      renew(server, window);
      break;
    }
    case XCB_CONFIGURE_NOTIFY: {
      const auto& configured = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
      const auto known = windows.find(configured.window);
      const Size size{configured.width, configured.height};
      // A move counts as damage too, which would pass for painting.
      if (known == windows.end() || (known->second.size == size && known->second.whole)) break;
      known->second.size = size;
      renew(server, configured.window);
      break;
    }
    default: break;
  }
}

void PaintedWindows::collect(Server& server, const std::vector<TopLevel>& tree) {
  if (!state_->able) return;
  const xcb_xfixes_region_t fresh = xcb_generate_id(server.xcb());
  xcb_xfixes_create_region(server.xcb(), fresh, 0, nullptr);
  for (const TopLevel& top : tree) {
    const auto known = state_->windows.find(top.window);
    if (known == state_->windows.end() || known->second.whole || top.shown.empty()) continue;
    xcb_damage_subtract(server.xcb(), known->second.damage, XCB_NONE, fresh);
    xcb_xfixes_union_region(server.xcb(), known->second.region, fresh, known->second.region);
  }
  xcb_xfixes_destroy_region(server.xcb(), fresh);
}

std::optional<xcb_xfixes_region_t> PaintedWindows::clip(Server&, xcb_window_t top) {
  if (!state_->able) return std::nullopt;
  const auto known = state_->windows.find(top);
  if (known == state_->windows.end()) return state_->nothing;
  if (known->second.whole) return std::nullopt;
  return known->second.region;
}

bool PaintedWindows::last_whole(xcb_window_t top) const {
  const auto known = state_->windows.find(top);
  return !state_->able || (known != state_->windows.end() && (known->second.whole || known->second.last_whole));
}

std::uint64_t PaintedWindows::life(xcb_window_t top) const {
  const auto known = state_->windows.find(top);
  return known == state_->windows.end() ? 0 : known->second.life;
}

Result<PaintedWindows::Left> PaintedWindows::left(Server& server, const std::vector<TopLevel>& tree) {
  Left worst = Left::nothing;
  if (!state_->able) return worst;
  for (const TopLevel& top : tree) {
    const auto known = state_->windows.find(top.window);
    if (known == state_->windows.end() || known->second.whole || top.shown.empty()) continue;
    const std::uint64_t life = known->second.life;
    const auto region = server.reply(xcb_xfixes_fetch_region(server.xcb(), known->second.region),
                                     xcb_xfixes_fetch_region_reply, "XFixesFetchRegion");
    if (!region.ok() && (region.error().code == Code::backend_lost || region.error().code == Code::timeout)) {
      return region.error();
    }
    const auto now = state_->windows.find(top.window);
    if (!region.ok() || now == state_->windows.end() || now->second.life != life) continue;
    Watched& watched = now->second;
    const PixelPoint origin{top.place.x + (top.place.width - watched.size.width) / 2,
                            top.place.y + (top.place.height - watched.size.height) / 2};
    const PixelRect inside{origin.x, origin.y, watched.size.width, watched.size.height};
    std::vector<PixelRect> wanted, painted;
    for (const PixelRect& part : top.outline) wanted.push_back(intersect(part, inside));
    const xcb_rectangle_t* rectangles = xcb_xfixes_fetch_region_rectangles(region->get());
    for (int i = 0; i < xcb_xfixes_fetch_region_rectangles_length(region->get()); ++i) {
      const xcb_rectangle_t& r = rectangles[i];
      for (const PixelRect& part : wanted) {
        painted.push_back(intersect(part, {origin.x + r.x, origin.y + r.y, r.width, r.height}));
      }
    }
    watched.whole = area(painted) >= area(wanted);
    if (watched.whole) continue;
    const auto age = Clock::now() - watched.since;
    if (!watched.asked && age >= kOwnPace) {
      watched.asked = true;
      watched.since = Clock::now();
      for (const ShownWindow& window : top.shown) xcb_clear_area(server.xcb(), 1, window.window, 0, 0, 0, 0);
      worst = Left::soon;
    } else if (!watched.asked || age < kWhenAsked) {
      worst = Left::soon;
    } else if (worst == Left::nothing) {
      worst = Left::given_up;
    }
  }
  return worst;
}

}  // namespace handrail::x11

#include "platform/x11/window_pixmaps.h"

#include <fmt/format.h>
#include <xcb/composite.h>

#include <map>

#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

struct Named {
  xcb_pixmap_t pixmap = XCB_NONE;
  Size size;
  int depth = 0;
  bool current = false;  // still what the window draws into
  PixelPoint origin;     // where it was when it was last drawn
};

Result<bool> compositor_runs(Server& server) {
  const std::string name = fmt::format("_NET_WM_CM_S{}", server.screen_number());
  const auto atom =
      TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.data()),
                       xcb_intern_atom_reply, "InternAtom"));
  const auto owner = TRY(server.reply(xcb_get_selection_owner(server.xcb(), atom->atom), xcb_get_selection_owner_reply,
                                      "GetSelectionOwner"));
  return owner->owner != XCB_NONE;
}

}  // namespace

struct WindowPixmaps::State {
  std::map<xcb_window_t, Named> named;
  bool redirected = false;  // by us

  void forget(Server& server, xcb_window_t window) {
    const auto entry = named.find(window);
    if (entry == named.end()) return;
    xcb_free_pixmap(server.xcb(), entry->second.pixmap);
    named.erase(entry);
  }
  void hear(Server& server, const xcb_generic_event_t& event);
  Status redirect(Server& server);
  Result<Named> name(Server& server, xcb_window_t window);
};

WindowPixmaps::WindowPixmaps(Connection& connection) : state_(std::make_shared<State>()) {
  connection.on_open([state = state_](Server& server) -> Status {
    state->named.clear();
    state->redirected = false;
    if (!server.extensions().composite.at_least(0, 2)) return {};
    server.watch(server.root(), XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
    // Held from the start: a window that is redirected only when asked for is black until it repaints.
    if (TRY(compositor_runs(server))) return {};
    return state->redirect(server);
  });
  connection.on_event(
      [state = state_](Server& server, const xcb_generic_event_t& event) { state->hear(server, event); });
}

void WindowPixmaps::State::hear(Server& server, const xcb_generic_event_t& event) {
  const auto outdate = [this](xcb_window_t window) {
    const auto entry = named.find(window);
    if (entry != named.end()) entry->second.current = false;
  };
  switch (event.response_type & 0x7f) {
    case XCB_MAP_NOTIFY: outdate(reinterpret_cast<const xcb_map_notify_event_t&>(event).window); break;
    case XCB_UNMAP_NOTIFY: outdate(reinterpret_cast<const xcb_unmap_notify_event_t&>(event).window); break;
    case XCB_CONFIGURE_NOTIFY: {
      const auto& configure = reinterpret_cast<const xcb_configure_notify_event_t&>(event);
      const auto entry = named.find(configure.window);
      if (entry == named.end()) break;
      const Size size{configure.width + 2 * configure.border_width, configure.height + 2 * configure.border_width};
      if (size != entry->second.size) entry->second.current = false;
      break;
    }
    case XCB_DESTROY_NOTIFY: forget(server, reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window); break;
    default: break;
  }
}

Status WindowPixmaps::State::redirect(Server& server) {
  redirected = true;
  return server.check(
      xcb_composite_redirect_subwindows_checked(server.xcb(), server.root(), XCB_COMPOSITE_REDIRECT_AUTOMATIC),
      "CompositeRedirectSubwindows");
}

Result<Named> WindowPixmaps::State::name(Server& server, xcb_window_t window) {
  const xcb_pixmap_t pixmap = xcb_generate_id(server.xcb());
  const auto cookie = xcb_composite_name_window_pixmap_checked(server.xcb(), window, pixmap);
  // Of the pixmap, not of the window, which may be resized in between.
  auto geometry = server.pend(xcb_get_geometry(server.xcb(), pixmap), xcb_get_geometry_reply, "GetGeometry");
  TRY(server.check(cookie, "CompositeNameWindowPixmap"));
  const auto shape = TRY(geometry.get());
  forget(server, window);
  const Named fresh{pixmap, {shape->width, shape->height}, shape->depth, true, {}};
  named.emplace(window, fresh);
  return fresh;
}

Result<WindowPixmap> WindowPixmaps::find(Server& server, xcb_window_t window) {
  if (!server.extensions().composite.at_least(0, 2)) {
    return make_error(Code::capability_unsupported,
                      "The X server has no COMPOSITE extension, so a single window cannot be captured.")
        .with_hint("Capture the display or a region.");
  }
  const xcb_window_t top = TRY(top_level(server, window));
  // The window itself, not its frame: Openbox goes on drawing and shrinking the frame of a window that it
  // has just minimised.
  auto attributes_pending = server.pend(xcb_get_window_attributes(server.xcb(), window),
                                        xcb_get_window_attributes_reply, "GetWindowAttributes");
  auto geometry_pending = server.pend(xcb_get_geometry(server.xcb(), top), xcb_get_geometry_reply, "GetGeometry");
  const auto attributes = TRY(attributes_pending.get());
  const auto geometry = TRY(geometry_pending.get());
  const bool drawn = attributes->map_state == XCB_MAP_STATE_VIEWABLE;

  const auto known = state_->named.find(top);
  const PixelPoint place{geometry->x, geometry->y};
  Named picture;
  if (known != state_->named.end() && (known->second.current || !drawn)) {
    picture = known->second;
  } else if (drawn) {
    auto fresh = state_->name(server, top);
    if (!fresh.ok() && fresh.error().code == Code::backend_error && !state_->redirected) {
      // The compositor that did this for us has ended.
      TRY(state_->redirect(server));
      fresh = state_->name(server, top);
    }
    picture = TRY(std::move(fresh));
  } else {
    return make_error(Code::not_found, fmt::format("Window {:#x} is not drawn now (minimised, or on another "
                                                   "workspace), and there is no earlier picture of it.",
                                                   window))
        .with_hint("Focus the window, then capture it.");
  }
  if (drawn) state_->named[top].origin = place;
  return WindowPixmap{picture.pixmap, picture.size, picture.depth, drawn ? place : picture.origin, !drawn};
}

Result<xcb_window_t> top_level(Server& server, xcb_window_t window) {
  while (true) {
    const auto tree = TRY(server.reply(xcb_query_tree(server.xcb(), window), xcb_query_tree_reply, "QueryTree"));
    if (tree->parent == tree->root) return window;
    if (tree->parent == XCB_NONE) return make_error(Code::not_found, "The root is not a window that can be captured.");
    window = tree->parent;
  }
}

}  // namespace handrail::x11

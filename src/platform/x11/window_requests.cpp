#include "platform/x11/window_requests.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "platform/x11/atoms.h"
#include "platform/x11/properties.h"

namespace handrail::x11 {
namespace {

// Window managers obey a pager (2) where they would suspect an app (1) of stealing focus.
constexpr std::uint32_t kFromPager = 2;
constexpr std::uint32_t kIconicState = 3;  // ICCCM 4.1.3.1

// The rectangle that the frame window takes for these visible bounds.
PixelRect with_shadow(const PixelRect& bounds, const WindowFacts& facts) {
  return {bounds.x + facts.shadow_box.x - facts.bounds.x, bounds.y + facts.shadow_box.y - facts.bounds.y,
          bounds.width + facts.shadow_box.width - facts.bounds.width,
          bounds.height + facts.shadow_box.height - facts.bounds.height};
}

std::uint32_t word(int value) { return static_cast<std::uint32_t>(value); }

// The size of the client's own window inside a frame of this size.
Size inner_size(const PixelRect& outer, const WindowFacts& facts) {
  const int decoration_x = facts.bounds.width - facts.content.width;
  const int decoration_y = facts.bounds.height - facts.content.height;
  return {std::max(1, outer.width - decoration_x), std::max(1, outer.height - decoration_y)};
}

void place_by_manager(Server& server, const ChangeWindow& change, const WindowFacts& facts, const PixelRect& wanted) {
  // _NET_MOVERESIZE_WINDOW: gravity, which of x, y, width and height are given, and who asks.
  constexpr std::uint32_t kNorthWest = 1, kHasPlace = 3U << 8, kHasSize = 3U << 10;
  const PixelRect outer = with_shadow(wanted, facts);
  const Size size = inner_size(outer, facts);
  const std::uint32_t given = change.verb == WindowVerb::move     ? kHasPlace
                              : change.verb == WindowVerb::resize ? kHasSize
                                                                  : kHasPlace | kHasSize;
  tell_manager(
      server, static_cast<xcb_window_t>(change.window), server.atoms().net_moveresize_window,
      {kNorthWest | given | kFromPager << 12, word(outer.x), word(outer.y), word(size.width), word(size.height)});
}

void place_directly(Server& server, const ChangeWindow& change, const WindowFacts& facts, const PixelRect& wanted) {
  const PixelRect outer = with_shadow(wanted, facts);
  const auto window = static_cast<xcb_window_t>(change.window);
  if (change.verb != WindowVerb::resize) {
    const std::uint32_t place[] = {word(outer.x), word(outer.y)};
    xcb_configure_window(server.xcb(), window, XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y, place);
  }
  if (change.verb != WindowVerb::move) {
    const Size inner = inner_size(outer, facts);
    const std::uint32_t size[] = {word(inner.width), word(inner.height)};
    xcb_configure_window(server.xcb(), window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
  }
}

void focus_directly(Server& server, xcb_window_t window) {
  xcb_map_window(server.xcb(), window);
  const std::uint32_t above = XCB_STACK_MODE_ABOVE;
  xcb_configure_window(server.xcb(), window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
  xcb_set_input_focus(server.xcb(), XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
}

Status close_directly(Server& server, xcb_window_t window) {
  const Atoms& atoms = server.atoms();
  const Property protocols = TRY(ask_property(server, window, atoms.wm_protocols, 32).get());
  const auto words = protocols.words();
  if (std::find(words.begin(), words.end(), atoms.wm_delete_window) == words.end()) {
    // What window managers do with windows that cannot be asked.
    xcb_kill_client(server.xcb(), window);
    return {};
  }
  xcb_client_message_event_t message{};
  message.response_type = XCB_CLIENT_MESSAGE;
  message.format = 32;
  message.window = window;
  message.type = atoms.wm_protocols;
  message.data.data32[0] = atoms.wm_delete_window;
  xcb_send_event(server.xcb(), 0, window, 0, reinterpret_cast<const char*>(&message));
  return {};
}

Error no_manager(const char* what) {
  return make_error(Code::capability_unsupported, std::string("There is no window manager, so ") + what + ".")
      .with_hint("Start a window manager such as openbox. `set_frame` gives a window any place and size without one.");
}

Status send_directly(Server& server, const ChangeWindow& change, const WindowFacts& facts, const PixelRect& wanted) {
  const auto window = static_cast<xcb_window_t>(change.window);
  switch (change.verb) {
    case WindowVerb::focus: focus_directly(server, window); break;
    case WindowVerb::move:
    case WindowVerb::resize:
    case WindowVerb::place: place_directly(server, change, facts, wanted); break;
    case WindowVerb::minimise: xcb_unmap_window(server.xcb(), window); break;
    case WindowVerb::close: return close_directly(server, window);
    case WindowVerb::restore: xcb_map_window(server.xcb(), window); break;
    case WindowVerb::raise: {
      const std::uint32_t above = XCB_STACK_MODE_ABOVE;
      xcb_configure_window(server.xcb(), window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
      break;
    }
    case WindowVerb::maximise: return no_manager("windows cannot be maximised");
    case WindowVerb::send: return no_manager("there are no workspaces");
  }
  return {};
}

// Asks for states to be taken away (0) or added (1).
void set_states(Server& server, xcb_window_t window, std::uint32_t how, xcb_atom_t first, xcb_atom_t second) {
  tell_manager(server, window, server.atoms().net_wm_state, {how, first, second, kFromPager, 0});
}

void restore_by_manager(Server& server, xcb_window_t window, const WindowFacts& facts) {
  const Atoms& atoms = server.atoms();
  if (facts.window.state == WindowState::minimised) {
    xcb_map_window(server.xcb(), window);
    return;
  }
  set_states(server, window, 0, atoms.net_wm_state_fullscreen, 0);
  set_states(server, window, 0, atoms.net_wm_state_maximized_vert, atoms.net_wm_state_maximized_horz);
}

Status raise_by_manager(Server& server, xcb_window_t window) {
  if (TRY(manager_knows(server, server.atoms().net_restack_window))) {
    tell_manager(server, window, server.atoms().net_restack_window, {kFromPager, 0, XCB_STACK_MODE_ABOVE, 0, 0});
    return {};
  }
  const std::uint32_t above = XCB_STACK_MODE_ABOVE;
  xcb_configure_window(server.xcb(), window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
  return {};
}

}  // namespace

void tell_manager(Server& server, xcb_window_t window, xcb_atom_t type, const std::array<std::uint32_t, 5>& data) {
  xcb_client_message_event_t message{};
  message.response_type = XCB_CLIENT_MESSAGE;
  message.format = 32;
  message.window = window;
  message.type = type;
  std::copy(data.begin(), data.end(), message.data.data32);
  xcb_send_event(server.xcb(), 0, server.root(),
                 XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY,
                 reinterpret_cast<const char*>(&message));
}

Result<bool> manager_knows(Server& server, xcb_atom_t message) {
  const Property supported = TRY(ask_property(server, server.root(), server.atoms().net_supported, 1024).get());
  const auto words = supported.words();
  return std::find(words.begin(), words.end(), message) != words.end();
}

PixelRect wanted_bounds(const ChangeWindow& change, const WindowFacts& facts, double scale) {
  PixelRect wanted = facts.bounds;
  const auto pixels = [scale](double points) { return static_cast<int>(std::lround(points * scale)); };
  if (change.verb == WindowVerb::move || change.verb == WindowVerb::place) {
    wanted.x = pixels(change.frame.x);
    wanted.y = pixels(change.frame.y);
  }
  if (change.verb == WindowVerb::resize || change.verb == WindowVerb::place) {
    wanted.width = pixels(change.frame.width);
    wanted.height = pixels(change.frame.height);
  }
  return wanted;
}

Status send_change(Server& server, const ChangeWindow& change, const WindowFacts& facts, const PixelRect& wanted,
                   bool managed) {
  if (!managed) return send_directly(server, change, facts, wanted);
  const auto window = static_cast<xcb_window_t>(change.window);
  const Atoms& atoms = server.atoms();
  switch (change.verb) {
    case WindowVerb::focus:
      tell_manager(server, window, atoms.net_active_window, {kFromPager, XCB_CURRENT_TIME, 0, 0, 0});
      break;
    case WindowVerb::move:
    case WindowVerb::resize:
    case WindowVerb::place: place_by_manager(server, change, facts, wanted); break;
    case WindowVerb::maximise:
      set_states(server, window, 1, atoms.net_wm_state_maximized_vert, atoms.net_wm_state_maximized_horz);
      break;
    case WindowVerb::restore: restore_by_manager(server, window, facts); break;
    case WindowVerb::raise: return raise_by_manager(server, window);
    case WindowVerb::send:
      tell_manager(server, window, atoms.net_wm_desktop, {word(change.workspace), kFromPager, 0, 0, 0});
      break;
    case WindowVerb::minimise: tell_manager(server, window, atoms.wm_change_state, {kIconicState, 0, 0, 0, 0}); break;
    case WindowVerb::close:
      tell_manager(server, window, atoms.net_close_window, {XCB_CURRENT_TIME, kFromPager, 0, 0, 0});
      break;
  }
  return {};
}

}  // namespace handrail::x11

#include "platform/x11/input_watch.h"

#include <algorithm>
#include <utility>

namespace handrail::x11 {
namespace {

// A grab of the keyboard is told as a change of focus. The pointer counts where keys go to the window below it.
constexpr std::uint32_t kEvents =
    XCB_EVENT_MASK_FOCUS_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_LEAVE_WINDOW;

xcb_window_t window_of(const xcb_generic_event_t& event) {
  switch (event.response_type & 0x7f) {
    case XCB_FOCUS_IN:
    case XCB_FOCUS_OUT: return reinterpret_cast<const xcb_focus_in_event_t&>(event).event;
    case XCB_DESTROY_NOTIFY: return reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window;
    case XCB_UNMAP_NOTIFY: return reinterpret_cast<const xcb_unmap_notify_event_t&>(event).window;
    case XCB_REPARENT_NOTIFY: return reinterpret_cast<const xcb_reparent_notify_event_t&>(event).window;
    case XCB_LEAVE_NOTIFY: return reinterpret_cast<const xcb_leave_notify_event_t&>(event).event;
    default: return XCB_WINDOW_NONE;
  }
}

}  // namespace

void HeldWatch::watch(Server& server, std::vector<xcb_window_t> windows) {
  for (const xcb_window_t window : windows) server.watch(window, kEvents);
  for (const xcb_window_t window : std::exchange(windows_, std::move(windows))) server.unwatch(window, kEvents);
}

void HeldWatch::take(const xcb_generic_event_t& event, bool new_map) {
  if (windows_.empty()) return;
  if (new_map || std::ranges::find(windows_, window_of(event)) != windows_.end()) ++news_;
}

}  // namespace handrail::x11

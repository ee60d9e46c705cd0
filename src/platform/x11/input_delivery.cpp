#include "platform/x11/input_delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "platform/x11/input_held.h"

namespace handrail::x11 {
namespace {

// The highest keycode that makes nothing in any group; 0 when the layout uses all.
Result<xcb_keycode_t> empty_key(Server& server) {
  const xcb_setup_t* setup = xcb_get_setup(server.xcb());
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const auto map = TRY(server.reply(xcb_get_keyboard_mapping(server.xcb(), setup->min_keycode, count),
                                    xcb_get_keyboard_mapping_reply, "GetKeyboardMapping"));
  const std::size_t width = map->keysyms_per_keycode;
  const std::span keysyms(xcb_get_keyboard_mapping_keysyms(map.get()),
                          static_cast<std::size_t>(xcb_get_keyboard_mapping_keysyms_length(map.get())));
  for (std::size_t key = count; key-- > 0;) {
    if ((key + 1) * width > keysyms.size()) continue;
    const auto row = keysyms.subspan(key * width, width);
    if (std::ranges::all_of(row, [](xcb_keysym_t keysym) { return keysym == XCB_NO_SYMBOL; })) {
      return static_cast<xcb_keycode_t>(setup->min_keycode + key);
    }
  }
  return 0;
}

}  // namespace

InputDelivery::InputDelivery(std::weak_ptr<Connection> connection, Parts parts)
    : connection_(std::move(connection)), parts_(std::move(parts)), owners_(parts_.identify) {}

Status InputDelivery::start(Server& server) {
  const auto connection = connection_.lock();
  return receipts_.start(server, connection ? connection->display_name() : std::string());
}

Status InputDelivery::guarded() {
  if (!parts_.custody) return {};
  const Status there = parts_.custody->ready();
  if (there.ok()) return {};
  return make_error(Code::permission_missing, there.error().message).with_hint(there.error().hint);
}

Result<ServerHold> InputDelivery::hold(Server& server) {
  TRY(guarded());
  ServerHold hold = TRY(ServerHold::take(server, parts_.custody.get(), parts_.claim.get()));
  TRY(server.still_acting());
  return hold;
}

// The server looks whose grab there is before it looks at the window, and this window is never mapped: the answer
// tells, and a free device stays free without a change of focus.
Pending<xcb_grab_pointer_reply_t> InputDelivery::ask_pointer_grab(Server& server) {
  return server.pend(xcb_grab_pointer(server.xcb(), 0, receipts_.own_window(), 0, XCB_GRAB_MODE_ASYNC,
                                      XCB_GRAB_MODE_ASYNC, XCB_WINDOW_NONE, XCB_CURSOR_NONE, XCB_CURRENT_TIME),
                     xcb_grab_pointer_reply, "GrabPointer");
}

Result<Receiver> InputDelivery::key_receiver(Server& server) {
  auto grab = server.pend(xcb_grab_keyboard(server.xcb(), 0, receipts_.own_window(), XCB_CURRENT_TIME,
                                            XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC),
                          xcb_grab_keyboard_reply, "GrabKeyboard");
  Receiver focus = TRY(owners_.focus(server));
  if (TRY(grab.get())->status != XCB_GRAB_STATUS_ALREADY_GRABBED) return focus;
  return keyboard_holder(server, focus);
}

Result<Receiver> InputDelivery::keyboard_holder(Server& server, const Receiver& focus) {
  Receiver unknown;
  unknown.grabbed = true;
  const xcb_keycode_t key = TRY(empty_key(server));
  if (key == 0) return unknown;
  receipts_.begin(server);
  fake_key(server, key, true);
  fake_key(server, key, false);
  const std::uint64_t mark = receipts_.mark(server);
  if (!receipts_.wait_for_mark(mark, server.deadline().within(kBackendPatience))) return unknown;
  for (const Receipt& receipt : receipts_.drain()) {
    if (!receipt.key || receipt.detail != key) continue;
    // The app's own menu holds the keyboard: it is still the app that gets the key.
    if (focus.window != 0 && client_of(server, static_cast<xcb_window_t>(focus.window)) == receipt.client) return focus;
    Receiver holder = TRY(owners_.client(server, receipt.client, receipt.window));
    holder.grabbed = true;
    return holder;
  }
  return unknown;
}

Result<bool> InputDelivery::person_would_lose_keys(Server& server) {
  if (!parts_.hears_one_keyboard) return false;
  const AsPerson person(server);
  const Receiver focus = TRY(owners_.focus(server));
  return focus.app.pid > 0 && parts_.hears_one_keyboard(focus.app.pid);
}

std::string name_of(const Receiver& receiver) {
  const AppIdentity& app = receiver.app;
  const std::string& name = !app.desktop_id.empty() ? app.desktop_id : app.executable;
  switch (receiver.kind) {
    case ReceiverKind::nobody: return "nobody";
    case ReceiverKind::root: return "the desktop's background";
    case ReceiverKind::window_manager: return "the window manager";
    case ReceiverKind::unknown: return "an unknown program";
    case ReceiverKind::panel:
    case ReceiverKind::app: break;
  }
  if (app.pid <= 0) return "an unknown program";
  return name.empty() ? fmt::format("process {}", app.pid) : fmt::format("{} (process {})", name, app.pid);
}

}  // namespace handrail::x11

#include "platform/x11/agent_seat.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xcb/res.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "platform/x11/atoms.h"
#include "platform/x11/extensions.h"
#include "platform/x11/input_held.h"
#include "platform/x11/properties.h"
#include "platform/x11/window_owners.h"

namespace handrail::x11 {
namespace {

constexpr std::string_view kNames = "handrail-";
constexpr int kTries = 4;
std::string seat_name(std::int64_t pid) { return fmt::format("{}{}", kNames, pid); }

struct Master {
  std::string_view name;
  std::uint16_t id;
};
std::vector<Master> masters_in(const xcb_input_xi_query_device_reply_t& devices) {
  std::vector<Master> found;
  for (auto info = xcb_input_xi_query_device_infos_iterator(&devices); info.rem > 0;
       xcb_input_xi_device_info_next(&info)) {
    const auto length = static_cast<std::size_t>(xcb_input_xi_device_info_name_length(info.data));
    found.push_back({{xcb_input_xi_device_info_name(info.data), length}, info.data->deviceid});
  }
  return found;
}

// Changes of the device tree stand in the request one behind the other, each in whole words.
void add_masters(xcb_connection_t* xcb, const std::string& name) {
  const std::size_t words = (sizeof(xcb_input_add_master_t) + name.size() + 3) / 4;
  std::vector<std::uint32_t> buffer(words, 0);
  xcb_input_add_master_t add{};
  add.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_ADD_MASTER;
  add.len = static_cast<std::uint16_t>(words);
  add.name_len = static_cast<std::uint16_t>(name.size());
  add.send_core = 1;
  add.enable = 1;
  std::memcpy(buffer.data(), &add, sizeof add);
  std::memcpy(reinterpret_cast<char*>(buffer.data()) + sizeof add, name.data(), name.size());
  xcb_input_xi_change_hierarchy(xcb, 1, reinterpret_cast<const xcb_input_hierarchy_change_t*>(buffer.data()));
}

void remove_masters(xcb_connection_t* xcb, std::uint16_t pointer) {
  std::array<std::uint32_t, sizeof(xcb_input_remove_master_t) / 4> buffer{};
  xcb_input_remove_master_t remove{};
  remove.type = XCB_INPUT_HIERARCHY_CHANGE_TYPE_REMOVE_MASTER;
  remove.len = static_cast<std::uint16_t>(buffer.size());
  remove.deviceid = pointer;
  remove.return_mode = XCB_INPUT_CHANGE_MODE_FLOAT;
  std::memcpy(buffer.data(), &remove, sizeof remove);
  xcb_input_xi_change_hierarchy(xcb, 1, reinterpret_cast<const xcb_input_hierarchy_change_t*>(buffer.data()));
}

// All that a pair of a dead process may hold down.
void let_go(xcb_connection_t* xcb, std::uint16_t pointer) {
  xcb_input_xi_set_client_pointer(xcb, XCB_WINDOW_NONE, pointer);
  for (std::uint8_t button = 1; button <= kIdleButton; ++button) {
    xcb_test_fake_input(xcb, XCB_BUTTON_RELEASE, button, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0);
  }
  xcb_input_xi_set_client_pointer(xcb, XCB_WINDOW_NONE, kPersonPointer);
  xcb_flush(xcb);
}

xcb_window_t make_corner(xcb_connection_t* xcb, xcb_window_t root) {
  const xcb_window_t corner = xcb_generate_id(xcb);
  constexpr std::uint32_t kSilent =
      XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE | XCB_EVENT_MASK_POINTER_MOTION;
  constexpr std::array<std::uint32_t, 2> kValues{1, kSilent};
  xcb_create_window(xcb, 0, corner, root, 0, 0, 2, 2, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
                    XCB_CW_OVERRIDE_REDIRECT | XCB_CW_DONT_PROPAGATE, kValues.data());
  xcb_map_window(xcb, corner);
  return corner;
}

void send_to_corner(xcb_connection_t* xcb, std::uint16_t pointer) {
  xcb_input_xi_set_client_pointer(xcb, XCB_WINDOW_NONE, pointer);
  xcb_test_fake_input(xcb, XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 1, 1, 0);
  xcb_input_xi_set_client_pointer(xcb, XCB_WINDOW_NONE, kPersonPointer);
}

// Everybody who is connected, in order.
std::vector<std::uint32_t> clients_of(xcb_connection_t* xcb) {
  std::vector<std::uint32_t> bases;
  const auto* extension = xcb_get_extension_data(xcb, &xcb_res_id);
  if (extension == nullptr || extension->present == 0) return bases;
  const Owned<xcb_res_query_clients_reply_t> reply(
      xcb_res_query_clients_reply(xcb, xcb_res_query_clients(xcb), nullptr));
  if (!reply) return bases;
  for (auto client = xcb_res_query_clients_clients_iterator(reply.get()); client.rem > 0; xcb_res_client_next(&client))
    bases.push_back(client.data->resource_base);
  std::ranges::sort(bases);
  return bases;
}

// A GTK app that starts asks about every device that it has just been told of, and ends when one is gone by then.
bool somebody_came(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now) {
  return !std::ranges::includes(before, now);
}

// Of a pair that a process made which is no more.
bool is_leftover(std::string_view name) {
  if (!name.starts_with(kNames) || !name.ends_with(" pointer")) return false;
  name.remove_prefix(kNames.size());
  pid_t pid = 0;
  std::from_chars(name.data(), name.data() + name.size(), pid);
  return pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH;
}

// The pointer that a dead process has left; 0: none.
std::uint16_t left_pointer(xcb_connection_t* xcb, std::int64_t pid) {
  const auto* extension = xcb_get_extension_data(xcb, &xcb_input_id);
  if (extension == nullptr || extension->present == 0) return 0;
  // The version must be told before anything newer is asked.
  const Owned<xcb_input_xi_query_version_reply_t> version(
      xcb_input_xi_query_version_reply(xcb, xcb_input_xi_query_version(xcb, 2, 2), nullptr));
  const Owned<xcb_input_xi_query_device_reply_t> devices(
      xcb_input_xi_query_device_reply(xcb, xcb_input_xi_query_device(xcb, XCB_INPUT_DEVICE_ALL_MASTER), nullptr));
  if (!version || !devices) return 0;
  for (const Master& master : masters_in(*devices)) {
    if (master.name == seat_name(pid) + " pointer") return master.id;
  }
  return 0;
}

// A window manager takes the focus that the second keyboard got for the person's, and nothing tells it otherwise when
// that keyboard goes: an event on its own frame does, without touching the app or the stack.
void tell_focus(Server& server, xcb_window_t window) {
  const auto line = lineage(server, window);
  if (!line.ok() || line->empty()) return;
  const xcb_window_t frame = line->back();
  xcb_focus_in_event_t event{};
  event.response_type = XCB_FOCUS_IN;
  event.detail = frame == window ? XCB_NOTIFY_DETAIL_NONLINEAR : XCB_NOTIFY_DETAIL_NONLINEAR_VIRTUAL;
  event.event = frame;
  event.mode = XCB_NOTIFY_MODE_NORMAL;
  xcb_send_event(server.xcb(), 0, frame, XCB_EVENT_MASK_FOCUS_CHANGE, reinterpret_cast<const char*>(&event));
}

Result<xcb_window_t> active_window(Server& server) {
  const Property active = TRY(ask_property(server, server.root(), server.atoms().net_active_window, 1).get());
  return active.words().empty() ? xcb_window_t{XCB_WINDOW_NONE} : active.words().front();
}

}  // namespace

Status AgentSeat::take(Server& server, const Seat& seat) {
  const auto window = static_cast<xcb_window_t>(seat.window);
  if (taken() && window_ != window) rest(server);
  if (!there()) TRY(make(server));
  if (!taken()) {
    window_ = window;
    home_.reset();
    // What the app grabs for a menu is the agent's pointer then, and not the person's.
    xcb_input_xi_set_client_pointer(server.xcb(), window_, pointer_);
  }
  if (seat.focus && !active_) TRY(give_focus(server));
  return {};
}

void AgentSeat::find_own(const xcb_input_xi_query_device_reply_t& devices) {
  const std::string name = seat_name(::getpid());
  for (const Master& master : masters_in(devices)) {
    // The server adds these words to the name of the pair.
    if (master.name == name + " pointer") pointer_ = master.id;
    if (master.name == name + " keyboard") keyboard_ = master.id;
  }
}

void AgentSeat::recover(Server& server) {
  const bool used = there();
  forget();
  if (!used || !server.extensions().xinput.at_least(2, 0)) return;
  mend_covers(server.xcb(), server.root());
  const auto devices = server.reply(xcb_input_xi_query_device(server.xcb(), XCB_INPUT_DEVICE_ALL_MASTER),
                                    xcb_input_xi_query_device_reply, "XIQueryDevice");
  if (!devices.ok()) return;
  find_own(**devices);
  if (!there()) return;
  let_go(server.xcb(), pointer_);
  xcb_input_xi_set_focus(server.xcb(), XCB_WINDOW_NONE, XCB_CURRENT_TIME, keyboard_);
  make_windows(server);
}

Status AgentSeat::make(Server& server) {
  if (!server.extensions().xinput.at_least(2, 0)) {
    return make_error(Code::capability_unsupported, "The X server lacks the XInput 2 extension.");
  }
  const std::string name = seat_name(::getpid());
  add_masters(server.xcb(), name);
  const auto devices = TRY(server.reply(xcb_input_xi_query_device(server.xcb(), XCB_INPUT_DEVICE_ALL_MASTER),
                                        xcb_input_xi_query_device_reply, "XIQueryDevice"));
  find_own(*devices);
  for (const Master& master : masters_in(*devices)) {
    // Left by one that died with everybody who would have swept up behind it.
    if (!is_leftover(master.name)) continue;
    let_go(server.xcb(), master.id);
    remove_masters(server.xcb(), master.id);
    mend_covers(server.xcb(), server.root());
  }
  if (!there()) return make_error(Code::capability_unsupported, "The X server makes no second pointer.");
  // Not what is under the pointer, as is the rule for a new keyboard.
  xcb_input_xi_set_focus(server.xcb(), XCB_WINDOW_NONE, XCB_CURRENT_TIME, keyboard_);
  make_windows(server);
  return server.fence();
}

Status AgentSeat::give_focus(Server& server) {
  active_ = TRY(active_window(server));
  const Status given =
      server.check(xcb_input_xi_set_focus_checked(server.xcb(), window_, XCB_CURRENT_TIME, keyboard_), "XISetFocus");
  if (given.ok()) return {};
  rest(server);
  return make_error(Code::capability_unsupported, "The window is not on the screen.")
      .with_hint("It may be minimised; repeat it with `delivery` foreground, which shows it.");
}

void AgentSeat::make_windows(Server& server) {
  xcb_connection_t* xcb = server.xcb();
  corner_ = make_corner(xcb, server.root());
  unseen_ = xcb_generate_id(xcb);
  xcb_create_window(xcb, 0, unseen_, server.root(), -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
                    0, nullptr);
  go_to_corner(server);
}

void AgentSeat::arm(Server& server) {
  // An app that holds the pointer for its open menu would take the button for a click beside it; and who has the
  // pointer has it before any window manager.
  if (armed_ || is_grabbed(server)) return;
  armed_ = true;
  go_to_corner(server);
  const ActingAs agent(server, pointer_);
  if (agent.status().ok()) fake_button(server, kIdleButton, true);
}

void AgentSeat::disarm(Server& server) {
  if (!std::exchange(armed_, false)) return;
  const ActingAs agent(server, pointer_);
  if (agent.status().ok()) fake_button(server, kIdleButton, false);
}

void AgentSeat::go_to_corner(Server& server) {
  constexpr std::array<std::uint32_t, 1> kAbove{XCB_STACK_MODE_ABOVE};
  xcb_configure_window(server.xcb(), corner_, XCB_CONFIG_WINDOW_STACK_MODE, kAbove.data());
  xcb_map_window(server.xcb(), corner_);
  const ActingAs agent(server, pointer_);
  if (agent.status().ok()) fake_motion(server, {1, 1});
}

Status AgentSeat::uncover(Server& server, PixelPoint pixel) {
  if (!home_) home_ = pixel;
  return cover_.open(server, window_, pixel);
}

bool AgentSeat::is_grabbed(Server& server) const {
  // This window is never seen: a device that is free stays free.
  const ActingAs agent(server, pointer_);
  if (!agent.status().ok()) return false;
  const auto grab = server.reply(xcb_grab_pointer(server.xcb(), 0, unseen_, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
                                                  XCB_WINDOW_NONE, XCB_CURSOR_NONE, XCB_CURRENT_TIME),
                                 xcb_grab_pointer_reply, "GrabPointer");
  return grab.ok() && (*grab)->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
}

void AgentSeat::leave_window(Server& server) {
  if (home_ && last_ != XCB_WINDOW_NONE && cover_.open(server, last_, *home_).ok()) {
    const ActingAs agent(server, pointer_);
    if (agent.status().ok()) fake_motion(server, *home_);
  }
  go_to_corner(server);
  cover_.close(server);
}

void AgentSeat::rest(Server& server) {
  if (!taken()) return;
  disarm(server);
  last_ = window_;
  clients_ = clients_of(server.xcb());
  postponed_ = 0;
  held_back_ = is_grabbed(server);
  leave_window(server);
  xcb_input_xi_set_client_pointer(server.xcb(), window_, kPersonPointer);
  xcb_input_xi_set_focus(server.xcb(), XCB_WINDOW_NONE, XCB_CURRENT_TIME, keyboard_);
  if (active_) {
    (void)server.fence();
    const auto now = active_window(server);
    const bool taken_for = now.ok() && (*now == window_ || *now == XCB_WINDOW_NONE);
    if (taken_for && *active_ != XCB_WINDOW_NONE && *active_ != window_) tell_focus(server, *active_);
  }
  (void)server.fence();
  window_ = XCB_WINDOW_NONE;
  active_.reset();
}

bool AgentSeat::remove(Server& server) {
  rest(server);
  if (!there()) return true;
  if (is_grabbed(server)) {
    held_back_ = true;
    return false;
  }
  // Small programs may come and go all the time; an app has started by the next look.
  std::vector<std::uint32_t> now = clients_of(server.xcb());
  const bool came = somebody_came(clients_, now);
  clients_ = std::move(now);
  if (came && ++postponed_ < kTries) return false;
  if (std::exchange(held_back_, false)) {
    leave_window(server);
    (void)server.fence();
    return false;
  }
  remove_masters(server.xcb(), pointer_);
  xcb_destroy_window(server.xcb(), corner_);
  xcb_destroy_window(server.xcb(), unseen_);
  (void)server.fence();
  forget();
  return true;
}

void AgentSeat::forget() {
  pointer_ = keyboard_ = 0;
  window_ = last_ = corner_ = unseen_ = XCB_WINDOW_NONE;
  active_.reset();
  home_.reset();
  armed_ = held_back_ = false;
  cover_.forget();
}

void quiet_seat(xcb_connection_t* xcb, xcb_window_t root, std::int64_t pid) {
  if (const std::uint16_t pointer = left_pointer(xcb, pid); pointer != 0) {
    let_go(xcb, pointer);
    // It goes with this connection; until then the pointer is over no app.
    make_corner(xcb, root);
    send_to_corner(xcb, pointer);
  }
  mend_covers(xcb, root);
  xcb_flush(xcb);
}

// Apps that are still at its events are waited for, and those that start, see seat_sweeper.h.
void remove_seat(xcb_connection_t* xcb, xcb_window_t root, std::int64_t pid) {
  quiet_seat(xcb, root, pid);
  const std::uint16_t pointer = left_pointer(xcb, pid);
  if (pointer == 0) return;
  for (int tries = 0; tries < kTries; ++tries) {
    const std::vector<std::uint32_t> before = clients_of(xcb);
    std::this_thread::sleep_for(kSeatFrames);
    if (!somebody_came(before, clients_of(xcb))) break;
  }
  remove_masters(xcb, pointer);
  xcb_flush(xcb);
}

}  // namespace handrail::x11

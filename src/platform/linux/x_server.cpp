#include "platform/linux/x_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "platform/linux/desktop_folder.h"

namespace handrail::linux_ {
namespace {

constexpr std::string_view kCookieName = "MIT-MAGIC-COOKIE-1";

struct FreeReply {
  void operator()(void* reply) const { std::free(reply); }
};
template <class T>
using Owned = std::unique_ptr<T, FreeReply>;

// Two bytes of length, high one first, then the text: every field of the file.
void add_counted(std::string& out, std::string_view text) {
  out += static_cast<char>(text.size() >> 8U);
  out += static_cast<char>(text.size() & 0xffU);
  out += text;
}

xcb_window_t window_in(xcb_connection_t* x, xcb_window_t window, xcb_atom_t property) {
  const Owned<xcb_get_property_reply_t> reply(
      xcb_get_property_reply(x, xcb_get_property(x, 0, window, property, XCB_ATOM_WINDOW, 0, 1), nullptr));
  if (!reply || xcb_get_property_value_length(reply.get()) != 4) return XCB_WINDOW_NONE;
  return *static_cast<const xcb_window_t*>(xcb_get_property_value(reply.get()));
}

// The root may name a window of a manager that has died; only a living one names itself.
bool is_managed(xcb_connection_t* x, xcb_window_t root, xcb_atom_t check) {
  const xcb_window_t manager = window_in(x, root, check);
  return manager != XCB_WINDOW_NONE && window_in(x, manager, check) == manager;
}

}  // namespace

std::string make_cookie() {
  std::string cookie(16, '\0');
  if (::getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size())) std::abort();
  return cookie;
}

Status write_xauthority(const std::string& path, const std::string& cookie) {
  std::string entry = "\xff\xff";  // any host
  add_counted(entry, "");
  add_counted(entry, "");
  add_counted(entry, kCookieName);
  add_counted(entry, cookie);
  return write_private_file(path, entry);
}

Status wait_for_window_manager(const std::string& display, const std::string& cookie, int manager_pidfd,
                               Deadline deadline) {
  std::string auth_name{kCookieName}, auth_data = cookie;
  xcb_auth_info_t auth{static_cast<int>(auth_name.size()), auth_name.data(), static_cast<int>(auth_data.size()),
                       auth_data.data()};
  const std::unique_ptr<xcb_connection_t, decltype(&xcb_disconnect)> owner(
      xcb_connect_to_display_with_auth_info(display.c_str(), &auth, nullptr), xcb_disconnect);
  xcb_connection_t* x = owner.get();
  if (xcb_connection_has_error(x) != 0) {
    return make_error(Code::backend_lost, fmt::format("The X server on {} does not answer.", display));
  }
  const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(x)).data->root;
  constexpr std::string_view kCheck = "_NET_SUPPORTING_WM_CHECK";
  const Owned<xcb_intern_atom_reply_t> atom(
      xcb_intern_atom_reply(x, xcb_intern_atom(x, 0, kCheck.size(), kCheck.data()), nullptr));
  const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_change_window_attributes(x, root, XCB_CW_EVENT_MASK, &events);
  while (atom && !is_managed(x, root, atom->atom)) {
    while (const Owned<xcb_generic_event_t> event{xcb_poll_for_queued_event(x)}) continue;
    pollfd waits[] = {{xcb_get_file_descriptor(x), POLLIN, 0}, {manager_pidfd, POLLIN, 0}};
    if (::poll(waits, 2, static_cast<int>(deadline.left().count())) <= 0 && deadline.passed()) {
      return make_error(Code::timeout, "The window manager did not take over the display in time.");
    }
    if (waits[1].revents != 0) return make_error(Code::backend_error, "The window manager ended while it started.");
    while (const Owned<xcb_generic_event_t> event{xcb_poll_for_event(x)}) continue;
    if (xcb_connection_has_error(x) != 0) {
      return make_error(Code::backend_lost, "The X server ended while the window manager started.");
    }
  }
  return {};
}

void remove_server_files(const std::string& display, const ProcessId& server) {
  if (display.size() < 2 || is_alive(server)) return;
  const std::string number = display.substr(1);
  const std::string lock = fmt::format("/tmp/.X{}-lock", number);
  const Result<std::string> text = read_small_file(lock, 64);
  if (!text.ok()) return;
  const std::size_t digits = text->find_first_not_of(' ');
  pid_t holder = 0;
  if (digits == std::string::npos ||
      std::from_chars(text->data() + digits, text->data() + text->size(), holder).ec != std::errc() ||
      holder != server.pid) {
    return;
  }
  ::unlink(fmt::format("/tmp/.X11-unix/X{}", number).c_str());
  ::unlink(lock.c_str());
}

}  // namespace handrail::linux_

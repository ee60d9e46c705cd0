#include "platform/linux/x_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

xcb_atom_t atom_of(xcb_connection_t* x, std::string_view name) {
  const Owned<xcb_intern_atom_reply_t> reply(
      xcb_intern_atom_reply(x, xcb_intern_atom(x, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr));
  if (!reply) return XCB_ATOM_NONE;
  return reply->atom;
}

// Until something arrives from the server, or `patience` is over. Fails when waiting longer is of no use.
Status wait_for_news(xcb_connection_t* x, int manager_pidfd, Millis patience, Deadline deadline) {
  pollfd waits[] = {{xcb_get_file_descriptor(x), POLLIN, 0}, {manager_pidfd, POLLIN, 0}};
  const Millis left = std::min(patience, deadline.left());
  if (::poll(waits, 2, static_cast<int>(left.count())) <= 0 && deadline.passed()) {
    return make_error(Code::timeout, "The window manager did not take over the display in time.");
  }
  if (waits[1].revents != 0) return make_error(Code::backend_error, "The window manager ended while it started.");
  if (xcb_connection_has_error(x) != 0) {
    return make_error(Code::backend_lost, "The X server ended while the window manager started.");
  }
  return {};
}

void drop_events(xcb_connection_t* x) {
  while (const Owned<xcb_generic_event_t> event{xcb_poll_for_event(x)}) continue;
}

bool is_listed(xcb_connection_t* x, xcb_window_t root, xcb_atom_t list, xcb_window_t window) {
  const Owned<xcb_get_property_reply_t> reply(
      xcb_get_property_reply(x, xcb_get_property(x, 0, root, list, XCB_ATOM_WINDOW, 0, 4096), nullptr));
  if (!reply) return false;
  const auto* items = static_cast<const xcb_window_t*>(xcb_get_property_value(reply.get()));
  const auto count = static_cast<std::size_t>(xcb_get_property_value_length(reply.get())) / sizeof(xcb_window_t);
  return std::find(items, items + count, window) != items + count;
}

// Openbox leaves a map request unanswered that comes between its first property and its event loop, until
// another event wakes it. So a window of our own goes first, and asks again until it is shown.
Status show_first_window(xcb_connection_t* x, xcb_window_t root, int manager_pidfd, Deadline deadline) {
  constexpr Millis kAskAgain{50};
  const xcb_window_t window = xcb_generate_id(x);
  const std::uint32_t events = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_create_window(x, XCB_COPY_FROM_PARENT, window, root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                    XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &events);
  for (bool shown = false; !shown;) {
    xcb_map_window(x, window);
    xcb_flush(x);
    TRY(wait_for_news(x, manager_pidfd, kAskAgain, deadline));
    while (const Owned<xcb_generic_event_t> event{xcb_poll_for_event(x)}) {
      shown = shown || (event->response_type & 0x7fU) == XCB_MAP_NOTIFY;
    }
  }
  xcb_destroy_window(x, window);
  const xcb_atom_t list = atom_of(x, "_NET_CLIENT_LIST");
  while (is_listed(x, root, list, window)) {
    TRY(wait_for_news(x, manager_pidfd, kAskAgain, deadline));
    drop_events(x);
  }
  return {};
}

// Whether a process holds the socket: it answers, or the kernel lists it, which it does before it answers.
bool is_served(const std::string& path) {
  const Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (!fd.valid() || path.size() >= sizeof address.sun_path) return true;
  std::memcpy(address.sun_path, path.data(), path.size());
  const void* raw = &address;
  if (::connect(fd.get(), static_cast<const sockaddr*>(raw), sizeof address) == 0 || errno != ECONNREFUSED) return true;
  std::ifstream sockets("/proc/net/unix");
  if (!sockets) return true;
  for (std::string line; std::getline(sockets, line);) {
    if (line.ends_with(" " + path)) return true;
  }
  return false;
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
  const xcb_atom_t check = atom_of(x, "_NET_SUPPORTING_WM_CHECK");
  const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
  xcb_change_window_attributes(x, root, XCB_CW_EVENT_MASK, &events);
  while (!is_managed(x, root, check)) {
    // Waiting for the answer may have taken the event off the wire already.
    if (const Owned<xcb_generic_event_t> event{xcb_poll_for_queued_event(x)}) continue;
    TRY(wait_for_news(x, manager_pidfd, deadline.left(), deadline));
    drop_events(x);
  }
  return show_first_window(x, root, manager_pidfd, deadline);
}

void remove_server_files(const std::string& display, const ProcessId& server) {
  if (display.size() < 2 || is_alive(server)) return;
  const std::string number = display.substr(1);
  const std::string socket = fmt::format("/tmp/.X11-unix/X{}", number);
  const std::string lock = fmt::format("/tmp/.X{}-lock", number);
  const Result<std::string> text = read_small_file(lock, 64);
  if (!text.ok()) {
    // Xvfb makes no lock file when it is told to report its number.
    if (!is_served(socket)) ::unlink(socket.c_str());
    return;
  }
  const std::size_t digits = text->find_first_not_of(' ');
  pid_t holder = 0;
  if (digits == std::string::npos ||
      std::from_chars(text->data() + digits, text->data() + text->size(), holder).ec != std::errc() ||
      holder != server.pid) {
    return;
  }
  ::unlink(socket.c_str());
  ::unlink(lock.c_str());
}

}  // namespace handrail::linux_

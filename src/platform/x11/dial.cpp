#include "platform/x11/dial.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/fd.h"
#include "platform/x11/xauthority.h"

namespace handrail::x11 {
namespace {

struct Address {
  std::string host;  // empty: this machine, by a local socket
  int display = 0;
  int screen = 0;
};

Error unreachable(const std::string& display, std::string message) {
  return make_error(Code::backend_lost, std::move(message))
      .with_hint(
          fmt::format("Name a display that runs, or start the X server on {} and repeat the call; `handrail desktop "
                      "list` shows the embedded desktops.",
                      display));
}

Result<Address> parse(const std::string& display) {
  char* host = nullptr;
  Address address;
  // An empty name would make xcb read the environment, which is the caller's business.
  if (display.empty() || xcb_parse_display(display.c_str(), &host, &address.display, &address.screen) == 0) {
    return make_error(Code::backend_lost, fmt::format("\"{}\" is not the name of an X display.", display))
        .with_hint("Set DISPLAY to a running X server, or start a desktop with `handrail desktop start`.");
  }
  const std::unique_ptr<char, void (*)(void*)> owner(host, std::free);
  address.host = host;
  if (address.host == "unix") address.host.clear();
  if (address.host == "localhost") address.host = "127.0.0.1";
  return address;
}

void bound_connect(int fd, Deadline deadline) {
  // connect() honours the send timeout; a stopped server with a full backlog would hold it for ever.
  const auto left = std::max<Millis::rep>(1, deadline.left().count());
  const timeval span{static_cast<time_t>(left / 1000), static_cast<suseconds_t>(left % 1000 * 1000)};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &span, sizeof span);
}

Fd connect_local(const std::string& path, bool abstract_name, Deadline deadline) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() + 2 > sizeof name.sun_path) return {};
  std::memcpy(name.sun_path + (abstract_name ? 1 : 0), path.data(), path.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  bound_connect(fd.get(), deadline);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&name), length) != 0) return {};
  return fd;
}

Fd connect_tcp(const Address& address, Deadline deadline) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<std::uint16_t>(6000 + address.display));
  if (::inet_pton(AF_INET, address.host.c_str(), &name.sin_addr) != 1) {
    errno = EADDRNOTAVAIL;
    return {};
  }
  Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  bound_connect(fd.get(), deadline);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) return {};
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

Fd connect_socket(const Address& address, Deadline deadline) {
  if (!address.host.empty()) return connect_tcp(address, deadline);
  const std::string path = fmt::format("/tmp/.X11-unix/X{}", address.display);
  Fd fd = connect_local(path, false, deadline);
  // Abstract names have no owner; they are the second choice, for sandboxes without the folder.
  if (!fd.valid() && errno == ENOENT) fd = connect_local(path, true, deadline);
  return fd;
}

AuthTarget auth_target(const Address& address) {
  AuthTarget target;
  target.display = std::to_string(address.display);
  in_addr number{};
  if (!address.host.empty() && address.host != "127.0.0.1" &&
      ::inet_pton(AF_INET, address.host.c_str(), &number) == 1) {
    target.family = AuthFamily::internet;
    target.address.assign(reinterpret_cast<const char*>(&number), sizeof number);
    return target;
  }
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  target.address = host.data();
  return target;
}

}  // namespace

std::string way_back(const std::string& display) {
  return fmt::format("Start the X server on {} again (`handrail desktop start`), then repeat the call.", display);
}

Result<Dialled> dial(const std::string& display, Deadline deadline, const std::function<void(int fd)>& on_socket) {
  const Address address = TRY(parse(display));
  Fd fd = connect_socket(address, deadline);
  if (!fd.valid()) {
    if (errno == EAGAIN || errno == EINPROGRESS) {
      return make_error(Code::timeout, fmt::format("The X server on {} did not take the connection in time.", display));
    }
    return unreachable(display, fmt::format("No X server answers on {} ({}).", display, std::strerror(errno)));
  }
  on_socket(fd.get());

  std::string protocol(kCookieProtocol);
  auto cookie = cookie_for(auth_target(address));
  xcb_auth_info_t auth{};
  if (cookie) {
    auth = {static_cast<int>(protocol.size()), protocol.data(), static_cast<int>(cookie->size()), cookie->data()};
  }
  // xcb owns the socket from here, also when it fails.
  xcb_connection_t* xcb = xcb_connect_to_fd(fd.release(), cookie ? &auth : nullptr);
  if (xcb_connection_has_error(xcb) != 0) {
    xcb_disconnect(xcb);
    return make_error(Code::backend_lost, fmt::format("The X server on {} closed or refused the connection.", display))
        .with_hint(way_back(display) + " If it runs, set XAUTHORITY to its cookie file.");
  }
  return Dialled{xcb, address.screen};
}

}  // namespace handrail::x11

// What goes over a control socket: one request, one reply, each a packet of JSON.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>
#include <string_view>

#include "platform/linux/control_socket.h"

namespace handrail::linux_ {

struct ControlRequest {
  ControlCommand command = ControlCommand::status;
  std::string detail;  // the reason to stop, or the app that was revoked
};

std::string control_socket_path(const std::string& folder, pid_t pid);
// The process in the name of a socket; nothing for other files.
std::optional<pid_t> control_socket_owner(std::string_view file);
Result<sockaddr_un> control_address(const std::string& path);
const sockaddr* generic(const sockaddr_un& address);

std::string to_packet(const ControlRequest& request);
Result<ControlRequest> receive_request(int socket);
// Never waits and never fails: who asked may have gone.
void send_reply(int socket, const Json& reply);
Result<Json> receive_json(int socket);

}  // namespace handrail::linux_

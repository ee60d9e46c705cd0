#include "platform/linux/control_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/private_file.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMaxPacket = 32 * 1024;
constexpr std::size_t kMaxDetail = 1000;
constexpr std::array<std::string_view, 4> kCommands{"stop", "resume", "status", "reload-grants"};
constexpr std::string_view kBefore = "control-", kAfter = ".sock";

}  // namespace

std::string control_socket_path(const std::string& folder, pid_t pid) {
  return fmt::format("{}/{}{}{}", folder, kBefore, pid, kAfter);
}

std::optional<pid_t> control_socket_owner(std::string_view file) {
  if (!file.starts_with(kBefore) || !file.ends_with(kAfter)) return std::nullopt;
  file.remove_prefix(kBefore.size());
  file.remove_suffix(std::min(file.size(), kAfter.size()));
  pid_t pid = 0;
  const auto read = std::from_chars(file.data(), file.data() + file.size(), pid);
  if (read.ec != std::errc() || read.ptr != file.data() + file.size() || pid <= 0) return std::nullopt;
  return pid;
}

Result<sockaddr_un> control_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return make_error(Code::argument_invalid, fmt::format("The path {} is too long for a socket.", path))
        .with_hint("Set XDG_RUNTIME_DIR to a shorter path.");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  const void* raw = &address;
  return static_cast<const sockaddr*>(raw);
}

std::string to_packet(const ControlRequest& request) {
  return to_line(Json{{"command", kCommands[static_cast<std::size_t>(request.command)]},
                      {"detail", request.detail.substr(0, kMaxDetail)}});
}

Result<Json> receive_json(int socket) {
  std::string text(kMaxPacket, '\0');
  const ssize_t n = ::recv(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_TRUNC);
  if (n < 0) return file_error("read from", "a control socket", errno);
  if (n == 0) return make_error(Code::io_error, "The other side has gone.");
  if (static_cast<std::size_t>(n) > text.size()) return make_error(Code::too_large, "The message is too large.");
  text.resize(static_cast<std::size_t>(n));
  Json json = TRY(parse_json(text));
  if (!json.is_object()) return make_error(Code::protocol, "The message is no object.");
  return json;
}

Result<ControlRequest> receive_request(int socket) {
  const Json json = TRY(receive_json(socket));
  const auto text = [&json](const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto command = std::ranges::find(kCommands, text("command"));
  if (command == kCommands.end()) return make_error(Code::action_unknown, "There is no such command.");
  return ControlRequest{static_cast<ControlCommand>(command - kCommands.begin()), text("detail").substr(0, kMaxDetail)};
}

void send_reply(int socket, const Json& reply) {
  std::string text = to_line(reply);
  if (text.size() > kMaxPacket) text = R"({"ok":false,"error":"The answer is too large."})";
  (void)!::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace handrail::linux_

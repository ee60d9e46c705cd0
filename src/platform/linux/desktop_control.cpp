#include "platform/linux/desktop_control.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "platform/linux/desktop_record.h"

namespace handrail::linux_ {
namespace {

constexpr std::size_t kMaxMessage = 128 * 1024;
constexpr std::size_t kMaxDescriptors = 3;

Error socket_error(std::string_view what) {
  return make_error(Code::io_error, fmt::format("Cannot {} the desktop's supervisor: {}", what, std::strerror(errno)));
}

Result<sockaddr_un> address_of(const std::string& runtime_dir) {
  const std::string path = runtime_dir + "/control";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return make_error(Code::argument_invalid, fmt::format("The path {} is too long for a socket.", path));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  const void* raw = &address;
  return static_cast<const sockaddr*>(raw);
}

Fd control_socket() { return Fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)); }

ExitStatus exit_status_of(const Json& json) { return {json.value("code", 0), json.value("signal", 0)}; }

}  // namespace

Status send_message(int socket, const Json& value, std::span<const int> descriptors) {
  std::string text = to_line(value);
  if (text.size() > kMaxMessage || descriptors.size() > kMaxDescriptors) {
    return make_error(Code::too_large, "The command line is too long.");
  }
  iovec data{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = space.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) return socket_error("write to");
  return {};
}

Result<ControlMessage> receive_message(int socket) {
  std::string text(kMaxMessage, '\0');
  iovec data{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  const ssize_t n = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (n < 0) return socket_error("read from");
  ControlMessage received;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    std::array<int, kMaxDescriptors> numbers{};
    const std::size_t bytes = std::min(header->cmsg_len - CMSG_LEN(0), sizeof numbers);
    std::memcpy(numbers.data(), CMSG_DATA(header), bytes);
    for (std::size_t i = 0; i < bytes / sizeof(int); ++i) received.descriptors.emplace_back(numbers[i]);
  }
  if (n == 0) return make_error(Code::not_found, "The desktop has ended.");
  text.resize(static_cast<std::size_t>(n));
  received.value = TRY(parse_json(text));
  return received;
}

Result<Fd> listen_for_control(const std::string& runtime_dir) {
  const sockaddr_un address = TRY(address_of(runtime_dir));
  Fd socket = control_socket();
  if (!socket.valid() || ::bind(socket.get(), generic(address), sizeof address) != 0 ||
      ::listen(socket.get(), 16) != 0) {
    return socket_error("open the socket of");
  }
  return socket;
}

Json to_json(const ProgramRequest& request) {
  return {{"argv", request.argv}, {"cwd", request.cwd}, {"bound", request.bound}};
}

Result<ProgramRequest> program_request(const ControlMessage& message) {
  ProgramRequest request;
  try {
    request.argv = message.value.at("argv").get<std::vector<std::string>>();
    request.cwd = message.value.at("cwd").get<std::string>();
    request.bound = message.value.at("bound").get<bool>();
  } catch (const Json::exception& problem) {
    return make_error(Code::protocol, fmt::format("The request is damaged: {}", problem.what()));
  }
  if (message.descriptors.size() == 3) {
    for (const Fd& stream : message.descriptors) request.streams.push_back(stream.get());
  }
  return request;
}

Json to_json(const ExitStatus& status) { return {{"code", status.code}, {"signal", status.signal}}; }

Result<LaunchedProgram> run_on_desktop(const DesktopInfo& desktop, const ProgramRequest& request, Deadline deadline) {
  const sockaddr_un address = TRY(address_of(desktop.runtime_dir));
  Fd socket = control_socket();
  if (!socket.valid() || ::connect(socket.get(), generic(address), sizeof address) != 0) {
    return make_error(Code::backend_lost, fmt::format("The desktop {} does not answer.", desktop.name));
  }
  TRY(send_message(socket.get(), to_json(request), request.streams));
  TRY(wait_readable(socket.get(), deadline));
  const ControlMessage reply = TRY(receive_message(socket.get()));
  if (reply.value.contains("error")) return reported_error(reply.value["error"]);

  LaunchedProgram program;
  program.pid = reply.value.value("pid", pid_t{0});
  const int connection = socket.get();
  program.ended = std::move(socket);
  // Read once: the supervisor sends it once.
  program.exit_status = [connection, known = std::make_shared<std::optional<ExitStatus>>()]() -> Result<ExitStatus> {
    if (!*known) *known = exit_status_of(TRY(receive_message(connection)).value.value("exit", Json::object()));
    return **known;
  };
  return program;
}

}  // namespace handrail::linux_

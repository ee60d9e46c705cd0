#include "platform/linux/guardian_wire.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace handrail::linux_ {
namespace {

Error gone() { return make_error(Code::io_error, "The other end of the guardian's socket is closed."); }

template <class Message>
Status send_whole(int socket, const Message& message) {
  if (::send(socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(sizeof message)) {
    return {};
  }
  return gone();
}

}  // namespace

Status send_request(int socket, const GuardianRequest& request) { return send_whole(socket, request); }

Status send_answer(int socket, const GuardianAnswer& answer) { return send_whole(socket, answer); }

Result<std::optional<GuardianRequest>> receive_guardian_request(int socket) {
  GuardianRequest request;
  const ssize_t n = ::recv(socket, &request, sizeof request, MSG_DONTWAIT);
  if (n == 0 || (n < 0 && errno == ECONNRESET)) return std::optional<GuardianRequest>{};
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return make_error(Code::timeout, "There is no message.");
  if (n != static_cast<ssize_t>(sizeof request)) return make_error(Code::protocol, "This is no message of a server.");
  return std::optional<GuardianRequest>(request);
}

Result<GuardianAnswer> await_answer(int socket, std::uint64_t id, int pidfd, Deadline deadline) {
  for (;;) {
    std::array<pollfd, 2> waits{{{socket, POLLIN, 0}, {pidfd, POLLIN, 0}}};
    const int n = ::poll(waits.data(), waits.size(), static_cast<int>(deadline.left().count()));
    GuardianAnswer answer;
    const ssize_t got = ::recv(socket, &answer, sizeof answer, MSG_DONTWAIT);
    if (got == static_cast<ssize_t>(sizeof answer)) {
      if (answer.id == id) return answer;
      continue;
    }
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return gone();
    if (waits[1].revents != 0) return make_error(Code::io_error, "The guardian has ended.");
    if (n == 0 && deadline.passed()) return make_error(Code::timeout, "The guardian did not answer in time.");
  }
}

GuardianAnswer answer_to(std::uint64_t id, const Status& outcome) {
  GuardianAnswer answer;
  answer.id = id;
  answer.pid = ::getpid();
  if (outcome.ok()) return answer;
  answer.code = static_cast<std::int32_t>(outcome.error().code);
  const std::string& text = outcome.error().message;
  std::memcpy(answer.message, text.data(), std::min(text.size(), sizeof answer.message - 1));
  return answer;
}

Status outcome_of(const GuardianAnswer& answer) {
  if (answer.code < 0) return {};
  const bool known = answer.code <= static_cast<std::int32_t>(Code::internal);
  return make_error(known ? static_cast<Code>(answer.code) : Code::internal,
                    std::string(answer.message, ::strnlen(answer.message, sizeof answer.message)));
}

}  // namespace handrail::linux_

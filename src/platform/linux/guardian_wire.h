// What the server and its guardian say to each other on their socket, and the descriptors a guardian starts with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::linux_ {

inline constexpr int kLinkFd = 3;    // the guardian's end of the socket
inline constexpr int kRecordFd = 4;  // the shared record
inline constexpr int kWakeFd = 5;    // an eventfd: a server grab begins and nobody looks
inline constexpr int kServerFd = 6;  // pidfd of the server
inline constexpr int kActiveFd = 7;  // pidfd of the guardian; the stand-in only

enum class GuardianAsk : std::uint32_t { hello, give_back, leave };

struct GuardianRequest {
  GuardianAsk ask = GuardianAsk::hello;
  std::uint32_t kept = 0;
  std::uint64_t id = 0;
  std::uint64_t patience_ms = 0;
};

struct GuardianAnswer {
  std::uint64_t id = 0;
  std::int32_t pid = 0;
  std::int32_t code = -1;  // of the error; -1 is success
  char message[240] = {};
};

Status send_request(int socket, const GuardianRequest& request);
Status send_answer(int socket, const GuardianAnswer& answer);
// Nothing at the end of the conversation. Does not wait.
Result<std::optional<GuardianRequest>> receive_guardian_request(int socket);
// Waits for the answer to `id`; late answers to other questions are passed over. `io_error` when the one that was
// asked, by its pidfd, has ended without one.
Result<GuardianAnswer> await_answer(int socket, std::uint64_t id, int pidfd, Deadline deadline);

GuardianAnswer answer_to(std::uint64_t id, const Status& outcome);
Status outcome_of(const GuardianAnswer& answer);

}  // namespace handrail::linux_

#include <dirent.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "base/private_file.h"
#include "platform/linux/control_message.h"
#include "platform/linux/control_socket.h"

namespace handrail::linux_ {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

Result<std::vector<pid_t>> servers_in(const std::string& folder) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  std::vector<pid_t> pids;
  if (!open) {
    if (errno == ENOENT) return pids;
    return file_error("read the folder", folder, errno);
  }
  while (const dirent* entry = ::readdir(open.get())) {
    if (const auto pid = control_socket_owner(entry->d_name)) pids.push_back(*pid);
  }
  std::ranges::sort(pids);
  return pids;
}

struct Call {
  ControlAnswer answer;
  Fd socket;
  bool sent = false;
  bool gone = false;  // nobody listens: no server
};

// A server with more callers than it can queue says EAGAIN: tried again until the deadline.
void begin(Call& call, const std::string& folder, const std::string& packet) {
  const std::string path = control_socket_path(folder, call.answer.pid);
  const Result<sockaddr_un> address = control_address(path);
  if (!address.ok()) {
    call.answer.error = address.error().message;
    call.sent = true;
    return;
  }
  call.socket = Fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::connect(call.socket.get(), generic(*address), sizeof *address) != 0) {
    const int reason = errno;
    call.socket.reset();
    if (reason == EAGAIN) return;
    call.sent = true;
    call.gone = reason == ECONNREFUSED || reason == ENOENT;
    if (reason == ECONNREFUSED) ::unlink(path.c_str());
    call.answer.error = std::strerror(reason);
    return;
  }
  call.sent = true;
  if (::send(call.socket.get(), packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    call.answer.error = std::strerror(errno);
    call.socket.reset();
  }
}

void finish(Call& call) {
  const Result<Json> reply = receive_json(call.socket.get());
  call.socket.reset();
  if (!reply.ok()) {
    call.answer.error = reply.error().message;
    return;
  }
  call.answer.answered = true;
  call.answer.reply = *reply;
  if (reply->contains("ok") && (*reply)["ok"] == true) return;
  const auto error = reply->find("error");
  call.answer.error = error != reply->end() && error->is_string() ? error->get<std::string>() : "It did not say why.";
}

}  // namespace

Result<std::vector<ControlAnswer>> tell_servers(const std::string& folder, ControlCommand command,
                                                const std::string& detail, Deadline deadline,
                                                const std::vector<ControlAnswer>& already) {
  const std::string packet = to_packet({command, detail});
  const TimePoint start = Clock::now();
  std::vector<Call> calls;
  for (const pid_t pid : TRY(servers_in(folder))) {
    if (std::ranges::any_of(already, [pid](const ControlAnswer& told) { return told.pid == pid; })) continue;
    calls.emplace_back().answer.pid = pid;
    begin(calls.back(), folder, packet);
  }
  for (;;) {
    std::vector<pollfd> waits;
    std::vector<Call*> waiting;
    bool again = false;
    for (Call& call : calls) {
      if (!call.sent) begin(call, folder, packet);
      again = again || !call.sent;
      if (!call.socket.valid()) continue;
      waits.push_back({call.socket.get(), POLLIN, 0});
      waiting.push_back(&call);
    }
    if ((waits.empty() && !again) || deadline.passed()) break;
    const Millis patience = again ? std::min(deadline.left(), Millis(5)) : deadline.left();
    if (::poll(waits.data(), waits.size(), static_cast<int>(patience.count())) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].revents == 0) continue;
      finish(*waiting[i]);
      waiting[i]->answer.took_ms = millis_since(start);
    }
  }
  std::vector<ControlAnswer> answers;
  for (Call& call : calls) {
    if (call.gone) continue;
    if (!call.answer.answered && call.answer.error.empty()) call.answer.error = "It does not answer.";
    answers.push_back(std::move(call.answer));
  }
  return answers;
}

}  // namespace handrail::linux_

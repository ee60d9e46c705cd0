#include "platform/linux/control_socket.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "base/fd.h"
#include "base/private_file.h"
#include "platform/linux/control_message.h"

namespace handrail::linux_ {
namespace {

// Who connects and says nothing makes room for others after this, or earlier when there are many.
constexpr Millis kSilence{2000};
constexpr std::size_t kMaxConnections = 32;

bool same_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

class ListeningSocket : public ControlSocket {
 public:
  ListeningSocket(std::string path, Fd socket, Fd wake, Handlers handlers)
      : path_(std::move(path)), socket_(std::move(socket)), wake_(std::move(wake)), handlers_(std::move(handlers)) {
    slow_ = std::thread([this] { serve_slow(); });
    listener_ = std::thread([this] { serve(); });
  }

  ~ListeningSocket() override {
    ::unlink(path_.c_str());
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    ::eventfd_write(wake_.get(), 1);
    listener_.join();
    slow_.join();
  }

  const std::string& path() const override { return path_; }

 private:
  struct Connection {
    Fd socket;
    TimePoint until;
  };
  struct SlowRequest {
    Fd socket;
    ControlRequest asked;
  };

  void serve() {
    std::vector<Connection> open;
    for (;;) {
      std::vector<pollfd> waits{{wake_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}};
      for (const Connection& connection : open) waits.push_back({connection.socket.get(), POLLIN, 0});
      const int patience = open.empty() ? -1 : static_cast<int>(Deadline(open.front().until).left().count());
      if (::poll(waits.data(), waits.size(), patience) < 0 && errno != EINTR) return;
      if ((waits[0].revents & POLLIN) != 0) return;
      std::vector<Connection> kept;
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (waits[i + 2].revents != 0) {
          answer(std::move(open[i].socket));
        } else if (Clock::now() < open[i].until) {
          kept.push_back(std::move(open[i]));
        }
      }
      open = std::move(kept);
      if ((waits[1].revents & POLLIN) != 0) accept_one(open);
    }
  }

  void accept_one(std::vector<Connection>& open) {
    Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!peer.valid()) {
      // Without descriptors left the oldest one has to go, or nobody is heard any more.
      if ((errno == EMFILE || errno == ENFILE) && !open.empty()) open.erase(open.begin());
      return;
    }
    if (!same_user(peer.get())) return;
    if (open.size() >= kMaxConnections) open.erase(open.begin());
    open.push_back({std::move(peer), Clock::now() + kSilence});
  }

  void answer(Fd peer) {
    const Result<ControlRequest> request = receive_request(peer.get());
    if (!request.ok()) {
      send_reply(peer.get(), failed(request.error()));
      return;
    }
    switch (request->command) {
      case ControlCommand::stop:
        if (handlers_.on_stop) handlers_.on_stop(request->detail);
        return send_reply(peer.get(), {{"ok", true}});
      case ControlCommand::resume:
        if (handlers_.on_resume) handlers_.on_resume();
        return send_reply(peer.get(), {{"ok", true}});
      case ControlCommand::status:
      case ControlCommand::reload_grants: break;
    }
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() >= kMaxConnections) waiting_.pop_front();
      waiting_.push_back({std::move(peer), *request});
    }
    changed_.notify_all();
  }

  void serve_slow() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      const SlowRequest request = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      Json reply{{"ok", true}};
      if (request.asked.command == ControlCommand::status && handlers_.status) {
        reply["status"] = handlers_.status();
      } else if (request.asked.command == ControlCommand::reload_grants && handlers_.on_reload) {
        if (const auto reloaded = handlers_.on_reload(request.asked.detail); reloaded.ok())
          reply["reloaded"] = *reloaded;
        else
          reply = failed(reloaded.error());
      }
      send_reply(request.socket.get(), reply);
    }
  }

  static Json failed(const Error& error) { return {{"ok", false}, {"error", error.message}}; }

  std::string path_;
  Fd socket_;
  Fd wake_;
  Handlers handlers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<SlowRequest> waiting_;
  bool ending_ = false;
  std::thread listener_;
  std::thread slow_;
};

}  // namespace

Result<std::unique_ptr<ControlSocket>> ControlSocket::listen(const std::string& folder, Handlers handlers) {
  const std::string path = control_socket_path(folder, ::getpid());
  // Under another name until it listens: a socket that refuses counts as left behind.
  const std::string draft = path + ".new";
  const sockaddr_un address = TRY(control_address(draft));
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  Fd wake(::eventfd(0, EFD_CLOEXEC));
  if (!socket.valid() || !wake.valid()) return file_error("open a socket for", path, errno);
  ::unlink(draft.c_str());
  if (::bind(socket.get(), generic(address), sizeof address) != 0) return file_error("open the socket", draft, errno);
  if (::chmod(draft.c_str(), 0600) != 0 || ::listen(socket.get(), 64) != 0 ||
      ::rename(draft.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(draft.c_str());
    return file_error("open the socket", path, reason);
  }
  return std::unique_ptr<ControlSocket>(
      std::make_unique<ListeningSocket>(path, std::move(socket), std::move(wake), std::move(handlers)));
}

Status mark_stopped(const std::string& marker, const std::string& reason) {
  return replace_private_file(marker, to_line(Json{{"reason", reason}}) + "\n");
}

Status clear_stopped(const std::string& marker) {
  if (::unlink(marker.c_str()) == 0 || errno == ENOENT) return {};
  return file_error("remove", marker, errno);
}

std::optional<std::string> stopped_reason(const std::string& marker) {
  struct stat facts {};
  if (::lstat(marker.c_str(), &facts) != 0 && errno == ENOENT) return std::nullopt;
  const Result<std::string> text = read_private_file(marker, 64 * 1024);
  const Result<Json> json = text.ok() ? parse_json(*text) : Result<Json>(text.error());
  if (json.ok() && json->is_object() && json->contains("reason") && (*json)["reason"].is_string()) {
    return (*json)["reason"].get<std::string>();
  }
  return "it was switched off; the reason cannot be read";
}

}  // namespace handrail::linux_

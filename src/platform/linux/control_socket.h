// The owner's way into running servers: each listens on a socket of its own, on its own thread, so that the off switch
// works whatever the rest of the server waits for. It does not know what stopping means.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace handrail::linux_ {

class ControlSocket {
 public:
  struct Handlers {
    // On the thread that listens: must not wait for anything. The answer goes out when it has returned.
    std::function<void(const std::string& reason)> on_stop;
    std::function<void()> on_resume;
    // On another thread, one at a time; may wait.
    std::function<Json()> status;
    // `revoked`: the app whose grants ended, "*" for all of them, "flag:NAME" for a flag, empty for none in particular.
    // What came of it is told under "reloaded".
    std::function<Result<Json>(const std::string& revoked)> on_reload;
  };
  // FOLDER/control-PID.sock, 0600; only processes of this user are heard. One for each process.
  static Result<std::unique_ptr<ControlSocket>> listen(const std::string& folder, Handlers handlers);
  virtual ~ControlSocket() = default;
  virtual const std::string& path() const = 0;
};

inline constexpr std::string_view kRevokedFlag = "flag:";

enum class ControlCommand { stop, resume, status, reload_grants };

struct ControlAnswer {
  pid_t pid = 0;
  bool answered = false;
  Json reply;         // of the server: "ok", "error", and for status what the server says of itself
  std::string error;  // why not
  double took_ms = 0;
  bool ok() const { return answered && error.empty(); }
};
// Tells every server of this user at the same time, and returns when all have answered or the deadline has passed.
// Sockets that nobody listens on are taken away. `detail`: the reason to stop, or the app that was revoked. `already`:
// servers that need not be told again.
Result<std::vector<ControlAnswer>> tell_servers(const std::string& folder, ControlCommand command,
                                                const std::string& detail, Deadline deadline,
                                                const std::vector<ControlAnswer>& already = {});

// Switched off, also for servers that start later. They look at this once, after they listen: taking it away does not
// switch a running one on.
Status mark_stopped(const std::string& marker, const std::string& reason);
Status clear_stopped(const std::string& marker);
// The reason; something that cannot be read still means stopped.
std::optional<std::string> stopped_reason(const std::string& marker);

}  // namespace handrail::linux_

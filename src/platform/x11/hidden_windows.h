// The Isolation port on X11: windows of apps that are not granted are minimised for a turn. What to do to get them
// back is written down first, with the guardian and on the root window, so that it outlives this process.
#pragma once

#include <memory>
#include <mutex>

#include "computer/custody.h"
#include "computer/ports.h"
#include "platform/x11/connection.h"
#include "platform/x11/restore_windows.h"

namespace handrail::x11 {

class X11Isolation : public Isolation {
 public:
  // Windows of a process that `stays` says yes to are never put away: the terminal that the agent runs in.
  using Stays = std::function<bool(std::int64_t pid)>;
  X11Isolation(std::shared_ptr<Connection> connection, std::shared_ptr<Custody> custody, Identify identify,
               Stays stays = nullptr);

  // Windows that do not show now, minimised or on another workspace, are left as they are. A window that the
  // window manager does not minimise in time is `timeout`; pictures leave it out all the same.
  Status hide(const std::function<bool(const Receiver& owner)>& shows, Deadline deadline) override;
  Status restore(Deadline deadline) override;

 private:
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Custody> custody_;
  Identify identify_;
  Stays stays_;
  std::mutex mutex_;
  HiddenWindows record_;  // of this turn; nothing hidden when empty
};

}  // namespace handrail::x11

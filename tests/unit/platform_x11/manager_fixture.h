// A window manager other than the one that test servers start by themselves.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "support/exec_block.h"
#include "support/x_server.h"

namespace handrail::testing {

class Manager {
 public:
  Manager(const std::string& program, const std::string& display) {
    if (program.empty()) return;
    // It reads its settings over a session bus and does not start without one.
    const ExecBlock manager({"dbus-run-session", "--", program, "--compositor=off"}, {{"DISPLAY", display}});
    pid_ = ::fork();
    if (pid_ > 0) ::setpgid(pid_, pid_);
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    const int null = ::open("/dev/null", O_WRONLY);
    for (const int fd : {1, 2}) ::dup2(null, fd);
    manager.run();
  }
  ~Manager() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

 private:
  pid_t pid_ = 0;
};

inline bool managed_by_somebody(XClient& client) {
  auto* reply = xcb_get_property_reply(
      client.xcb(),
      xcb_get_property(client.xcb(), 0, client.root(), client.atom("_NET_SUPPORTING_WM_CHECK"), XCB_ATOM_ANY, 0, 1),
      nullptr);
  const bool found = reply != nullptr && reply->type != XCB_ATOM_NONE;
  std::free(reply);
  const xcb_atom_t name = client.atom("WM_S0");
  auto* owner = xcb_get_selection_owner_reply(client.xcb(), xcb_get_selection_owner(client.xcb(), name), nullptr);
  const bool owned = owner != nullptr && owner->owner != XCB_NONE;
  std::free(owner);
  return found && owned;
}

}  // namespace handrail::testing

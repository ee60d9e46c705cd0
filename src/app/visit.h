// Everything that one run of the program needs to act on a desktop, put together in order: settings, desk, guardian,
// lock, audit log, grants, approvers, off switch, session. `mcp` and `do` differ only in who talks to it.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/config.h"
#include "app/desk.h"
#include "app/dialog_approver.h"
#include "app/session_lock.h"
#include "app/terminal_prompt.h"
#include "engine/action_runner.h"
#include "platform/linux/control_socket.h"
#include "platform/linux/notifier.h"
#include "platform/linux/runtime_folder.h"

namespace handrail::app {

struct VisitRequest {
  DeskRequest desk;
  Config config;
  std::vector<AppRequest> grants;  // of the command line, on top of the config's
};

class Visit {
 public:
  static Result<std::unique_ptr<Visit>> open(VisitRequest request);
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  engine::ActionRunner& runner() { return *runner_; }
  engine::Session& session() { return *session_; }
  engine::KillSwitch& kill_switch() { return kill_switch_; }
  const std::string& told() const { return desk_.told; }

 private:
  Visit() = default;
  Status open_state();
  Status open_session(VisitRequest request);
  Status listen(const Config& config);
  Json status() const;

  // In the order in which they are made; the session goes first.
  engine::KillSwitch kill_switch_;
  std::string off_by_settings_;
  linux_::StatePaths paths_;
  std::string runtime_folder_;
  Desk desk_;
  std::unique_ptr<SessionLock> lock_;
  std::unique_ptr<engine::AuditLog> audit_;
  std::unique_ptr<engine::GrantStore> store_;
  std::unique_ptr<DialogApprover> dialog_;
  std::unique_ptr<TerminalApprover> terminal_;
  std::unique_ptr<linux_::Notifier> notifier_;
  std::unique_ptr<engine::Session> session_;
  std::unique_ptr<engine::ActionRunner> runner_;
  std::unique_ptr<linux_::ControlSocket> control_;
  std::jthread listener_;
};

}  // namespace handrail::app

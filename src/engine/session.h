// One agent's visit to one computer: what it has seen, what it may use, which display it looks at.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "computer/computer.h"
#include "engine/journal.h"
#include "engine/kill_switch.h"
#include "engine/turns.h"
#include "model/look.h"
#include "policy/grants.h"
#include "vision/sizing.h"

namespace handrail::engine {

struct SessionSettings {
  policy::AccessRules rules;
  policy::Approver approver;
  vision::Tier image_tier = vision::Tier::standard;
};

class Session {
 public:
  Session(Computer& computer, KillSwitch& kill_switch, SessionSettings settings);
  // Lets go of everything that is held down.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return id_; }
  Computer& computer() { return computer_; }
  KillSwitch& kill_switch() { return kill_switch_; }
  Journal& journal() { return journal_; }
  Turns& turns() { return turns_; }
  const SessionSettings& settings() const { return settings_; }

  std::optional<Look> last_look() const;
  void remember(Look look);
  int selected_display() const;
  void select_display(int display);
  Access access() const;
  Access request_access(const AccessRequest& request, std::stop_token stop);

  // Releases keys and buttons; safe to call more than once and from any thread.
  Status release_input();

 private:
  Computer& computer_;
  KillSwitch& kill_switch_;
  const SessionSettings settings_;
  const std::string id_;
  Journal journal_;
  Turns turns_;

  mutable std::mutex mutex_;
  std::optional<Look> last_look_;
  int selected_display_ = 0;
  Access access_;
};

}  // namespace handrail::engine

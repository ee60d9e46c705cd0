// Who may use which app: the owner's rules, and what a person is asked. The agent's session holds the
// result; it cannot reach the rules.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/grant.h"

namespace handrail::policy {

// The owner's settings about access.
struct AccessRules {
  std::vector<Grant> granted;       // without being asked
  std::vector<std::string> denied;  // never, whoever asks
  GrantFlags flags;                 // allowed without being asked
  // On a desktop that belongs to nobody (embedded, private home) asking is answered by policy.
  bool nobodys_desktop = false;
};

enum class Answer { yes, no };

// Asks a person; no answer, no person and an error are all `no`.
using Approver = std::function<Answer(const AccessRequest& request, std::stop_token stop)>;

// What the session may have after this request: `held` plus what rules and person allow.
Access decide(const AccessRules& rules, const Access& held, const AccessRequest& request, const Approver& approver,
              std::stop_token stop);

// What a session starts with.
Access initial_access(const AccessRules& rules);

}  // namespace handrail::policy

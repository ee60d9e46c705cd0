// Key combinations that an agent does not get, judged on physical keys: the key that goes down and all that are held,
// each with every keysym it can make in any layout group.
#pragma once

#include <optional>
#include <string_view>

#include "model/event.h"
#include "model/grant.h"

namespace handrail::policy {

enum class KeyRuleKind {
  switch_or_quit,   // an owner may unlock these with `system_keys`
  lock_or_log_out,  // these never
  console,
  system_request,
  power,
};

struct KeyRule {
  std::string_view name;  // "Alt+Tab"
  KeyRuleKind kind = KeyRuleKind::switch_or_quit;
};

// The rule that forbids the chord with these flags; nothing when it is allowed.
std::optional<KeyRule> forbidden(const KeyChord& chord, const GrantFlags& flags);

}  // namespace handrail::policy

#include "policy/gates/key_blocklist.h"

#include <fmt/format.h>

#include "policy/key_rules.h"

namespace handrail::policy::gates {
namespace {

std::string_view does(KeyRuleKind kind) {
  switch (kind) {
    case KeyRuleKind::switch_or_quit: return "switches, starts or ends programs";
    case KeyRuleKind::lock_or_log_out: return "locks the desktop or logs out";
    case KeyRuleKind::console: return "leaves the desktop for a console";
    case KeyRuleKind::system_request: return "speaks to the kernel";
    case KeyRuleKind::power: return "is a power or launch key";
  }
  return "reaches the system";
}

}  // namespace

Verdict key_blocklist(const UseFacts& facts) {
  for (const KeyChord& chord : facts.chords) {
    const auto rule = forbidden(chord, facts.flags);
    if (!rule) continue;
    return deny(
        Code::gate_refused, fmt::format("{} is not sent: it {}.", rule->name, does(rule->kind)),
        rule->kind == KeyRuleKind::switch_or_quit
            ? "Call `request_access` with the flag system_keys. `open_app` starts an app without keys. `focus_window` "
              "and `close_window` switch and end without them."
            : "No grant allows it; ask the person to do this part.");
  }
  return allow();
}

}  // namespace handrail::policy::gates

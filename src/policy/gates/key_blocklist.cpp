#include "policy/gates/key_blocklist.h"

#include <fmt/format.h>

#include "policy/deed_names.h"
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

// What a menu does is what its key does.
Verdict deeds(const UseFacts& facts) {
  for (const std::string& name : facts.deeds) {
    const DeedKind kind = deed_named(name);
    if (kind == DeedKind::ordinary || (kind == DeedKind::ends_program && facts.flags.system_keys)) continue;
    if (kind == DeedKind::ends_program) {
      return deny(Code::gate_refused, fmt::format("`{}` is not asked for: it ends a program.", name),
                  "Call `request_access` with the flag system_keys, or ask the person to do this part.");
    }
    return deny(Code::gate_refused,
                fmt::format("`{}` is not asked for: it {}.", name,
                            kind == DeedKind::opens_terminal ? "opens a terminal" : "leaves the desktop's session"),
                "No grant allows it; ask the person to do this part.");
  }
  return allow();
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
  return deeds(facts);
}

}  // namespace handrail::policy::gates

#include "policy/gates/text_rules.h"

#include <fmt/format.h>

#include "policy/text_rules.h"

namespace handrail::policy::gates {

Verdict text_rules(const UseFacts& facts) {
  if (!facts.text) return allow();
  const auto finding = find_forbidden(*facts.text);
  if (!finding) return allow();
  return deny(
      Code::gate_refused,
      fmt::format("The text breaks the rule {}: {}. What the target got before counts too.", finding->rule,
                  finding->says),
      "Nobody can approve it; do not send it in pieces or in disguise. Tell the person what you wanted to run.");
}

}  // namespace handrail::policy::gates

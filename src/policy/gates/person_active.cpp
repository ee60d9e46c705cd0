#include "policy/gates/person_active.h"

#include <fmt/format.h>

namespace handrail::policy::gates {

Verdict person_active(const UseFacts& facts) {
  if (!facts.foreground || facts.person_pause <= Millis{0} || !facts.person_idle) return allow();
  if (*facts.person_idle >= facts.person_pause) return allow();
  return deny(Code::gate_refused,
              fmt::format("A person used the pointer or the keyboard {} ms ago.", facts.person_idle->count()),
              fmt::format("Wait until they have paused for {} ms, look again, then repeat the call.",
                          facts.person_pause.count()));
}

}  // namespace handrail::policy::gates

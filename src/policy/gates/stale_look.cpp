#include "policy/gates/stale_look.h"

#include <fmt/format.h>

namespace handrail::policy::gates {

Verdict stale_look(const UseFacts& facts) {
  if (!facts.look) return allow();
  if (!facts.layout) {
    return deny(Code::target_stale, "The displays could not be read, so the screenshot's coordinates are unsure.");
  }
  if (*facts.layout != facts.look->layout) {
    return deny(Code::target_stale, "The displays have changed since the screenshot was taken.");
  }
  if (facts.look->display != facts.selected_display) {
    return deny(Code::target_stale, fmt::format("The last screenshot shows display {}, but display {} is selected.",
                                                facts.look->display, facts.selected_display));
  }
  return allow();
}

}  // namespace handrail::policy::gates

#include "policy/gates/stale_pixels.h"

namespace handrail::policy::gates {

Verdict stale_pixels(const UseFacts& facts) {
  if (!facts.pixels.checked || !facts.pixels.changed) return allow();
  return deny(Code::target_stale,
              (facts.pixels.what.empty() ? std::string("What is at the target") : facts.pixels.what) +
                  " has changed since the last screenshot.",
              "Look at the fresh picture, or take a new screenshot, and choose the target again.");
}

}  // namespace handrail::policy::gates

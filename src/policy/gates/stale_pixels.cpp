#include "policy/gates/stale_pixels.h"

#include <fmt/format.h>

namespace handrail::policy::gates {

Verdict stale_pixels(const UseFacts& facts) {
  if (facts.look_age && *facts.look_age > kMostLookAge) {
    return deny(Code::target_stale,
                *facts.look_age == Millis::max()
                    ? std::string("The last screenshot was taken before Handrail was started again.")
                    : fmt::format("The last screenshot is {} minutes old.",
                                  std::chrono::duration_cast<std::chrono::minutes>(*facts.look_age).count()),
                "Take a new screenshot and choose the target again.");
  }
  if (!facts.pixels.checked || !facts.pixels.changed) return allow();
  return deny(Code::target_stale,
              (facts.pixels.what.empty() ? std::string("What is at the target") : facts.pixels.what) +
                  " has changed since the last screenshot.",
              "Look at the fresh picture, or take a new screenshot, and choose the target again.");
}

}  // namespace handrail::policy::gates

// What is at the target is as it was in the picture that the agent chose it from, and that picture is not old.
#pragma once

#include <chrono>

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

// What looks the same after so long may still be another thing.
inline constexpr Millis kMostLookAge = std::chrono::minutes(10);

Verdict stale_pixels(const UseFacts& facts);

}  // namespace handrail::policy::gates

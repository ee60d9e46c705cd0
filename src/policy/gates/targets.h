// The apps that an act would reach: never our own windows, only granted ones, and never more than their tier.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

// A consent dialog that the agent could press itself would be worth nothing.
Verdict own_windows(const UseFacts& facts);

Verdict target_granted(const UseFacts& facts);

Verdict tier(const UseFacts& facts);

}  // namespace handrail::policy::gates

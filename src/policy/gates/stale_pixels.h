// What is at the target looks as it did in the picture that the agent chose it from.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict stale_pixels(const UseFacts& facts);

}  // namespace handrail::policy::gates

// Bringing a window in front of what a person is at is for the person to decide, on a desktop that is theirs.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict raise(const UseFacts& facts);

}  // namespace handrail::policy::gates

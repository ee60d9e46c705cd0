// An owner may keep an agent to a part of the desktop.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict region(const UseFacts& facts);

}  // namespace handrail::policy::gates

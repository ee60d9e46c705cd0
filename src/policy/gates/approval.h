// What a person is asked about each time: locking their screen, files outside the granted folders that an app
// would open, and messages to services that no grant covers.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict approval(const UseFacts& facts);

}  // namespace handrail::policy::gates

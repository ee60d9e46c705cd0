// A session has so many calls, keys and seconds, and no more.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict budget(const AdmissionFacts& facts);
Verdict budget(const UseFacts& facts);

}  // namespace handrail::policy::gates

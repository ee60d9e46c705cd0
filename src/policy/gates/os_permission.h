// What the action needs of the desktop is really there.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict os_permission(const AdmissionFacts& facts);

}  // namespace handrail::policy::gates

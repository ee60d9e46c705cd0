// Files and programs are used with their flags only.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict files(const AdmissionFacts& facts);
Verdict files(const UseFacts& facts);
Verdict shell(const AdmissionFacts& facts);
Verdict shell(const UseFacts& facts);

}  // namespace handrail::policy::gates

// The clipboard belongs to no app: reading and writing it are granted by flags.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict clipboard(const AdmissionFacts& facts);
Verdict clipboard(const UseFacts& facts);

}  // namespace handrail::policy::gates

// What must be in place before anything is done: the desktop is ours to use, somebody can undo what we do, and there is
// a record of it.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict desktop_lock(const AdmissionFacts& facts);
Verdict desktop_lock(const UseFacts& facts);

Verdict guardian(const AdmissionFacts& facts);
Verdict guardian(const UseFacts& facts);

Verdict audit(const AdmissionFacts& facts);

}  // namespace handrail::policy::gates

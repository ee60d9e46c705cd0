// Nothing happens while the owner has switched Handrail off.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict kill_switch(const AdmissionFacts& facts);
Verdict kill_switch(const UseFacts& facts);

}  // namespace handrail::policy::gates

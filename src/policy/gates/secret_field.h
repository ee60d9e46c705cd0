// What is typed into a password field is for a person to decide.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict secret_field(const UseFacts& facts);

}  // namespace handrail::policy::gates

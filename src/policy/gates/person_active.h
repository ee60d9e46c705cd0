// A person who uses the desktop comes first: while they move the pointer or type, nothing is done with their pointer,
// keyboard or focus.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict person_active(const UseFacts& facts);

}  // namespace handrail::policy::gates

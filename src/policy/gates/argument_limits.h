// Bounds on a call as a whole, over and above those of its fields.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

// A call whose arguments are larger than any honest one needs.
inline constexpr std::size_t kMaxArgumentBytes = 4u << 20;

Verdict argument_limits(const AdmissionFacts& facts);

}  // namespace handrail::policy::gates

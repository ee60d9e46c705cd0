// Text that fetches and runs, destroys or writes raw devices is refused, whoever asks and wherever it would go.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict text_rules(const UseFacts& facts);

}  // namespace handrail::policy::gates

// Coordinates are only as good as the look they were read from: it must show the display that is
// selected now, in the layout that is there now.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict stale_look(const UseFacts& facts);

}  // namespace handrail::policy::gates

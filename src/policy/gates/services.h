// Services that nobody can allow an agent to call over the message bus, because they go round every other gate: those
// that start programs, hold secrets, decide on rights, end the session, or see and act for everybody. A service of an
// app that may have less than everything is not asked either, unless the app is granted in full.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict services(const UseFacts& facts);

}  // namespace handrail::policy::gates

// Key combinations that leave the app, lock the desktop or reach the system are refused, however they are spelt.
#pragma once

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy::gates {

Verdict key_blocklist(const UseFacts& facts);

}  // namespace handrail::policy::gates

#include "policy/gates/raise.h"

namespace handrail::policy::gates {

Verdict raise(const UseFacts& facts) {
  if (!facts.raises) return allow();
  return ask("A window would come in front of what the person is at.",
             "A person has to agree to it. Captures and acts by element number need no window in front.");
}

}  // namespace handrail::policy::gates

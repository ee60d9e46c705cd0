#include "policy/gates/os_permission.h"

namespace handrail::policy::gates {

Verdict os_permission(const AdmissionFacts& facts) {
  if (facts.capability.available) return allow();
  return deny(Code::permission_missing, "This desktop lacks " + facts.capability.missing + ".", facts.capability.fix);
}

}  // namespace handrail::policy::gates

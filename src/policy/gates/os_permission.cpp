#include "policy/gates/os_permission.h"

namespace handrail::policy::gates {

Verdict os_permission(const AdmissionFacts& facts) {
  if (facts.capability.available) return allow();
  // The desktop itself lacks a permission or an extension; all else is a facility that need not be there.
  const catalog::ActionSpec* spec = facts.call.spec;
  const bool facility = spec != nullptr && spec->capability >= Capability::files;
  const Code code = facility ? Code::capability_unsupported : Code::permission_missing;
  return deny(code, "This desktop lacks " + facts.capability.missing + ".", facts.capability.fix);
}

}  // namespace handrail::policy::gates

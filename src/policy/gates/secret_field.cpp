#include "policy/gates/secret_field.h"

namespace handrail::policy::gates {

Verdict secret_field(const UseFacts& facts) {
  switch (facts.secret_field) {
    case Known::no: return allow();
    case Known::yes:
      return ask("The keys would go into a password field.", "A person has to agree to it, or type it themselves.");
    case Known::unknown: break;
  }
  return ask("The keys may go into a password field: the app did not say in time.",
             "A person has to agree to it; or wait until the app answers again.");
}

}  // namespace handrail::policy::gates

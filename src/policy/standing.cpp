#include "policy/standing.h"

#include <algorithm>

#include "policy/grants.h"

namespace handrail::policy {

Standing standing_of(const AppIdentity& program, const Access& access, const AppCatalog& catalog,
                     const std::vector<OwnerRule>& rules) {
  Standing standing;
  standing.app = catalog.classify(program, rules);
  if (program.own) {
    standing.kind = StandingKind::own;
    return standing;
  }
  if (standing.app.denied) {
    standing.kind = StandingKind::denied;
    return standing;
  }
  if (!program.file.known() || (standing.app.runs_others && program.script.empty())) return standing;
  standing.kind = StandingKind::not_granted;
  for (const Grant& grant : access.grants) {
    if (!covers(grant, program)) continue;
    standing.kind = StandingKind::granted;
    standing.tier = std::max(standing.tier, std::min(grant.tier, standing.app.most));
  }
  return standing;
}

Standing standing_of(const Receiver& receiver, const Access& access, const AppCatalog& catalog,
                     const std::vector<OwnerRule>& rules) {
  Standing standing;
  if (receiver.app.own) {
    standing.kind = StandingKind::own;
    standing.app = catalog.classify(receiver.app, rules);
    return standing;
  }
  switch (receiver.kind) {
    case ReceiverKind::nobody:
    case ReceiverKind::root:
    case ReceiverKind::window_manager:
    case ReceiverKind::panel: standing.kind = StandingKind::not_an_app; return standing;
    case ReceiverKind::app: break;
    case ReceiverKind::unknown: return standing;
  }
  standing = standing_of(receiver.app, access, catalog, rules);
  // Denied stays denied: the message says more.
  if (standing.kind != StandingKind::denied && (receiver.grabbed || !receiver.app.known())) {
    standing.kind = StandingKind::unidentified;
    standing.tier = GrantTier::read;
  }
  return standing;
}

}  // namespace handrail::policy

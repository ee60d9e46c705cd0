// What one app may be used for: its row in the catalogue, the owner's rules and the session's grants put
// together. Everything that judges an app judges its standing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/grant.h"
#include "model/identity.h"
#include "policy/app_catalog.h"

namespace handrail::policy {

enum class StandingKind {
  own,           // Handrail's own: never
  not_an_app,    // root, window manager, panel, nobody: never
  unidentified,  // no identity, or an interpreter whose program is not known: never
  denied,        // by category or by the owner: never
  not_granted,
  granted,
};

struct Standing {
  StandingKind kind = StandingKind::unidentified;
  GrantTier tier = GrantTier::read;  // when granted: the grant's, no more than the app may have at most
  AppClass app;
  bool granted() const { return kind == StandingKind::granted; }
  friend bool operator==(const Standing&, const Standing&) = default;
};

// A grant covers an app when the executable is the same file and, for interpreters, the script is the same. The tier
// is never more than AppClass::most. A replaced executable is covered by nothing, and while another client holds the
// pointer or the keyboard nobody is known to receive anything. `rules` are those of owner_rules().
Standing standing_of(const Receiver& receiver, const Access& access, const AppCatalog& catalog,
                     const std::vector<OwnerRule>& rules);
// The same for a program that need not run.
Standing standing_of(const AppIdentity& program, const Access& access, const AppCatalog& catalog,
                     const std::vector<OwnerRule>& rules);

}  // namespace handrail::policy

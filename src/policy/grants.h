// Who may use which app: the owner's rules, which the agent's session cannot reach.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/grant.h"
#include "policy/app_catalog.h"

namespace handrail::policy {

// The owner's settings about access.
struct AccessRules {
  // Without being asked. The owner's own word (`--grant APP:full`): it raises the most that this app can have to that
  // tier, above its category's, unless a rule in `apps` says otherwise or no tier was named. Prompts and lockers stay denied.
  std::vector<AppRequest> granted;
  std::vector<OwnerRule> apps;  // raised, lowered and denied apps
  GrantFlags flags;             // allowed without being asked
  // On a desktop that belongs to nobody (embedded, private home) asking is answered by policy.
  bool nobodys_desktop = false;
  // What it answers with yes there. Files and programs reach beyond the desktop unless all folders are its own.
  GrantFlags of_the_desktop{true, true, true, false, false};
};

// `apps`, and what follows from `granted`: the rules to classify and judge by.
std::vector<OwnerRule> owner_rules(const AccessRules& rules);

// Whether the grant is for this very program: the same executable file and the same script. A file that was replaced
// while it runs is another one.
bool covers(const Grant& grant, const AppIdentity& program);

// Adds a grant, or raises the one that covers the same program. A grant never shrinks by asking for less, and a short
// one never makes a long one stronger: each length of time keeps its own tier.
void add_grant(Access& access, const Grant& grant);
// Takes away every grant of an app, named by id or executable; says how many there were.
std::size_t revoke(Access& access, const std::string& app);
// The names of all flags, and the same for one of them: whether it was there.
std::span<const std::string_view> flag_names();
bool revoke_flag(GrantFlags& flags, std::string_view name);
GrantFlags either(GrantFlags a, GrantFlags b);
GrantFlags both(GrantFlags a, GrantFlags b);
// What is in `a` and not in `b`.
GrantFlags without(GrantFlags a, GrantFlags b);

}  // namespace handrail::policy

#include "policy/grants.h"

#include <algorithm>
#include <cctype>

namespace handrail::policy {
namespace {

std::string folded(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (text.ends_with(".desktop")) text.resize(text.size() - 8);
  return text;
}

bool same_app(std::string_view a, std::string_view b) { return folded(a) == folded(b); }

const Grant* find(const std::vector<Grant>& grants, const std::string& app) {
  const auto found = std::find_if(grants.begin(), grants.end(), [&](const Grant& g) { return same_app(g.app, app); });
  return found == grants.end() ? nullptr : &*found;
}

// A grant never shrinks by asking for less.
void add(Access& access, const AppRequest& wanted, GrantTier tier, std::string source) {
  for (Grant& grant : access.grants) {
    if (!same_app(grant.app, wanted.app)) continue;
    grant.app = wanted.app;
    if (tier > grant.tier) {
      grant.tier = tier;
      grant.source = std::move(source);
    }
    return;
  }
  access.grants.push_back({wanted.app, tier, std::move(source)});
}

GrantFlags both(GrantFlags a, GrantFlags b) {
  return {a.clipboard_read && b.clipboard_read, a.clipboard_write && b.clipboard_write, a.system_keys && b.system_keys};
}

GrantFlags either(GrantFlags a, GrantFlags b) {
  return {a.clipboard_read || b.clipboard_read, a.clipboard_write || b.clipboard_write, a.system_keys || b.system_keys};
}

}  // namespace

Access initial_access(const AccessRules& rules) {
  Access access;
  for (const Grant& grant : rules.granted) add(access, {grant.app, grant.tier}, grant.tier, "config");
  access.flags = rules.flags;
  return access;
}

Access decide(const AccessRules& rules, const Access& held, const AccessRequest& request, const Approver& approver,
              std::stop_token stop) {
  Access access = held;
  AccessRequest open;  // what only a person can answer
  open.reason = request.reason;
  for (const AppRequest& wanted : request.apps) {
    const bool refused = std::any_of(rules.denied.begin(), rules.denied.end(),
                                     [&wanted](const std::string& app) { return same_app(app, wanted.app); });
    if (refused) continue;
    if (const Grant* had = find(access.grants, wanted.app); had != nullptr && had->tier >= wanted.tier) {
      add(access, wanted, had->tier, had->source);
      continue;
    }
    if (rules.nobodys_desktop)
      add(access, wanted, wanted.tier, "policy");
    else
      open.apps.push_back(wanted);
  }
  access.flags = either(access.flags, both(request.flags, rules.flags));
  if (rules.nobodys_desktop) access.flags = either(access.flags, request.flags);
  // Flags that the request adds to what is held already.
  const GrantFlags wanted_flags = either(access.flags, request.flags);
  open.flags = request.flags;
  const bool asks_flags = !(wanted_flags == access.flags);
  if ((open.apps.empty() && !asks_flags) || !approver) return access;
  if (approver(open, stop) == Answer::yes) {
    for (const AppRequest& wanted : open.apps) add(access, wanted, wanted.tier, "terminal");
    access.flags = wanted_flags;
  }
  return access;
}

}  // namespace handrail::policy

#include "policy/grants.h"

#include <algorithm>
#include <array>
#include <utility>

#include "policy/app_name.h"

namespace handrail::policy {
namespace {

constexpr bool GrantFlags::*kFlags[] = {&GrantFlags::clipboard_read, &GrantFlags::clipboard_write,
                                        &GrantFlags::system_keys, &GrantFlags::files, &GrantFlags::shell};
constexpr std::array<std::string_view, std::size(kFlags)> kFlagNames{"clipboard_read", "clipboard_write", "system_keys",
                                                                     "files", "shell"};
static_assert(sizeof(GrantFlags) == std::size(kFlags) * sizeof(bool), "every flag is listed");

template <class Combine>
GrantFlags combined(GrantFlags a, GrantFlags b, Combine combine) {
  GrantFlags flags;
  for (const auto flag : kFlags) flags.*flag = combine(a.*flag, b.*flag);
  return flags;
}

bool same_program(const Grant& a, const Grant& b) {
  if (!a.file.known() && !b.file.known()) {
    return folded_app_name(a.app) == folded_app_name(b.app) && a.script == b.script;
  }
  return a.file == b.file && a.script == b.script;
}

// An app that was updated: what its old file was granted covers nothing any more.
bool outdated(const Grant& old, const Grant& fresh) {
  return fresh.file.known() && !(old.file == fresh.file) && !old.executable.empty() &&
         old.executable == fresh.executable && old.script == fresh.script &&
         folded_app_name(old.app) == folded_app_name(fresh.app);
}

}  // namespace

std::vector<OwnerRule> owner_rules(const AccessRules& rules) {
  std::vector<OwnerRule> all = rules.apps;
  for (const AppRequest& grant : rules.granted) {
    if (!grant.by_category) all.push_back({grant.app, false, grant.tier, true});
  }
  return all;
}

bool covers(const Grant& grant, const AppIdentity& program) {
  return grant.file.known() && grant.file == program.file && grant.script == program.script && !program.replaced;
}

void add_grant(Access& access, const Grant& grant) {
  auto& grants = access.grants;
  std::erase_if(grants, [&grant](const Grant& old) { return outdated(old, grant); });
  for (const Grant& old : grants) {
    if (same_program(old, grant) && old.tier >= grant.tier && old.persist >= grant.persist) return;
  }
  // The new one takes the place of those that say no more than it does.
  const auto less = [&grant](const Grant& old) {
    return same_program(old, grant) && old.tier <= grant.tier && old.persist <= grant.persist;
  };
  const auto place = std::find_if(grants.begin(), grants.end(), less);
  if (place == grants.end()) {
    grants.push_back(grant);
    return;
  }
  *place = grant;
  grants.erase(std::remove_if(place + 1, grants.end(), less), grants.end());
}

std::size_t revoke(Access& access, const std::string& app) {
  const std::string name = folded_app_name(app);
  if (name.empty()) return 0;
  return std::erase_if(access.grants, [&name](const Grant& grant) {
    return folded_app_name(grant.app) == name || lower(grant.executable) == name || lower(grant.script) == name ||
           lower(base_name(grant.executable)) == name;
  });
}

std::span<const std::string_view> flag_names() { return kFlagNames; }

bool revoke_flag(GrantFlags& flags, std::string_view name) {
  for (std::size_t i = 0; i < std::size(kFlags); ++i) {
    if (kFlagNames[i] == name) return std::exchange(flags.*kFlags[i], false);
  }
  return false;
}

GrantFlags either(GrantFlags a, GrantFlags b) {
  return combined(a, b, [](bool x, bool y) { return x || y; });
}
GrantFlags both(GrantFlags a, GrantFlags b) {
  return combined(a, b, [](bool x, bool y) { return x && y; });
}
GrantFlags without(GrantFlags a, GrantFlags b) {
  return combined(a, b, [](bool x, bool y) { return x && !y; });
}

}  // namespace handrail::policy

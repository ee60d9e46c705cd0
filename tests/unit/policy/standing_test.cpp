#include "policy/standing.h"

#include <gtest/gtest.h>

#include "policy/grants.h"

namespace handrail::policy {
namespace {

AppIdentity program(std::string executable, std::uint64_t inode = 7) {
  AppIdentity identity;
  identity.pid = 100;
  identity.started = 5;
  identity.file = {1, inode, 3};
  identity.executable = std::move(executable);
  return identity;
}

Receiver app(AppIdentity identity) {
  Receiver receiver;
  receiver.kind = ReceiverKind::app;
  receiver.app = std::move(identity);
  return receiver;
}

Grant grant(const AppIdentity& identity, GrantTier tier, Persist persist = Persist::session) {
  return {identity.executable, tier, "dialog", persist, identity.executable, identity.file, identity.script};
}

Standing of(const Receiver& receiver, const Access& access, const std::vector<OwnerRule>& rules = {}) {
  return standing_of(receiver, access, AppCatalog::builtin(), rules);
}

const AppIdentity kEditor = program("/usr/bin/mousepad");

TEST(Standing, is_granted_for_the_very_file_only) {
  const Access access{{grant(kEditor, GrantTier::full)}, {}};
  EXPECT_EQ(of(app(kEditor), access).kind, StandingKind::granted);
  EXPECT_EQ(of(app(kEditor), access).tier, GrantTier::full);
  EXPECT_EQ(of(app(kEditor), {}).kind, StandingKind::not_granted);
  AppIdentity renamed = kEditor;
  renamed.executable = "/usr/bin/other";
  EXPECT_EQ(of(app(renamed), access).kind, StandingKind::granted) << "a name is not what the grant is bound to";
  for (const FileId file : {FileId{2, 7, 3}, FileId{1, 8, 3}, FileId{1, 7, 4}}) {
    AppIdentity other = kEditor;
    other.file = file;
    EXPECT_EQ(of(app(other), access).kind, StandingKind::not_granted);
  }
  AppIdentity replaced = kEditor;
  replaced.replaced = true;
  EXPECT_EQ(of(app(replaced), access).kind, StandingKind::not_granted);
  AppIdentity claims = kEditor;
  claims.file = {9, 9, 9};
  claims.desktop_id = claims.claimed_class = "/usr/bin/mousepad";
  EXPECT_EQ(of(app(claims), access).kind, StandingKind::not_granted);
}

TEST(Standing, is_never_granted_by_a_grant_without_a_file) {
  Grant unresolved = grant(kEditor, GrantTier::full);
  unresolved.file = {};
  AppIdentity unknown = kEditor;
  unknown.file = {};
  const Access access{{unresolved}, {}};
  EXPECT_EQ(of(app(kEditor), access).kind, StandingKind::not_granted);
  EXPECT_EQ(of(app(unknown), access).kind, StandingKind::unidentified);
}

TEST(Standing, is_never_more_than_the_app_may_have) {
  const AppIdentity browser = program("/usr/lib/firefox/firefox");
  const Access access{{grant(browser, GrantTier::full)}, {}};
  EXPECT_EQ(of(app(browser), access).tier, GrantTier::read);
  EXPECT_EQ(of(app(browser), access, {{"firefox", false, GrantTier::click}}).tier, GrantTier::click);
  EXPECT_EQ(of(app(browser), access, {{"firefox", true}}).kind, StandingKind::denied) << "a rule takes effect at once";
  AccessRules rules;
  rules.granted = {{"firefox", GrantTier::full}};
  EXPECT_EQ(of(app(browser), access, owner_rules(rules)).tier, GrantTier::full) << "the owner's word at launch";
}

TEST(Standing, of_an_interpreter_is_that_of_its_script) {
  AppIdentity python = program("/usr/bin/python3.11");
  python.script = "/usr/share/a.py";
  const Access access{{grant(python, GrantTier::full)}, {}};
  EXPECT_EQ(of(app(python), access).kind, StandingKind::granted);
  EXPECT_EQ(of(app(python), access).tier, GrantTier::click);
  python.script = "/usr/share/b.py";
  EXPECT_EQ(of(app(python), access).kind, StandingKind::not_granted);
  python.script.clear();
  Access bare{{grant(python, GrantTier::full)}, {}};
  EXPECT_EQ(of(app(python), bare).kind, StandingKind::unidentified) << "`python3 -c` is no app";
}

TEST(Standing, of_what_is_not_an_app_is_never) {
  const Access access{{grant(kEditor, GrantTier::full)}, {}};
  const std::pair<ReceiverKind, StandingKind> rows[] = {
      {ReceiverKind::unknown, StandingKind::unidentified}, {ReceiverKind::nobody, StandingKind::not_an_app},
      {ReceiverKind::root, StandingKind::not_an_app},      {ReceiverKind::window_manager, StandingKind::not_an_app},
      {ReceiverKind::panel, StandingKind::not_an_app},     {ReceiverKind::app, StandingKind::granted},
  };
  for (const auto& [kind, expected] : rows) {
    Receiver receiver = app(kEditor);
    receiver.kind = kind;
    EXPECT_EQ(of(receiver, access).kind, expected);
    receiver.app.own = true;
    EXPECT_EQ(of(receiver, access).kind, StandingKind::own);
  }
  Receiver grabbed = app(kEditor);
  grabbed.grabbed = true;
  EXPECT_EQ(of(grabbed, access).kind, StandingKind::unidentified);
  Receiver gone = app(kEditor);
  gone.app.pid = 0;
  EXPECT_EQ(of(gone, access).kind, StandingKind::unidentified);
  EXPECT_EQ(standing_of(gone.app, access, AppCatalog::builtin(), {}).kind, StandingKind::granted)
      << "a program need not run";
  EXPECT_EQ(of(Receiver{}, access).kind, StandingKind::unidentified);
}

TEST(Grants, never_shrink_and_keep_a_tier_for_each_length) {
  Access access;
  add_grant(access, grant(kEditor, GrantTier::click));
  add_grant(access, grant(kEditor, GrantTier::read));
  EXPECT_EQ(access.grants, (std::vector{grant(kEditor, GrantTier::click)}));
  add_grant(access, grant(kEditor, GrantTier::full, Persist::once));
  EXPECT_EQ(access.grants,
            (std::vector{grant(kEditor, GrantTier::click), grant(kEditor, GrantTier::full, Persist::once)}))
      << "once is not for the session";
  add_grant(access, grant(kEditor, GrantTier::full));
  EXPECT_EQ(access.grants, (std::vector{grant(kEditor, GrantTier::full)}));
  add_grant(access, grant(kEditor, GrantTier::full, Persist::once));
  EXPECT_EQ(access.grants.size(), 1u);
  add_grant(access, grant(kEditor, GrantTier::full, Persist::always));
  EXPECT_EQ(access.grants, (std::vector{grant(kEditor, GrantTier::full, Persist::always)}));
  add_grant(access, grant(program("/usr/bin/x", 9), GrantTier::read));
  EXPECT_EQ(access.grants.size(), 2u);
}

TEST(Grants, of_an_old_file_go_when_the_app_is_granted_anew) {
  Access access;
  add_grant(access, grant(kEditor, GrantTier::full, Persist::always));
  const AppIdentity updated = program("/usr/bin/mousepad", 99);
  add_grant(access, grant(updated, GrantTier::read));
  EXPECT_EQ(access.grants, (std::vector{grant(updated, GrantTier::read)}));
}

TEST(Grants, are_revoked_by_any_of_their_names) {
  for (const char* name : {"org.xfce.Mousepad", "ORG.xfce.mousepad.desktop", " /usr/bin/mousepad ",
                           "/usr/bin/../bin/mousepad", "mousepad"}) {
    Access access;
    Grant one = grant(kEditor, GrantTier::full, Persist::always);
    one.app = "org.xfce.mousepad";
    Grant once = one;
    once.tier = GrantTier::click;
    once.file.inode = 8;
    once.executable = "/usr/bin/mousepad";
    access.grants = {one, once, grant(program("/usr/bin/x", 9), GrantTier::read)};
    EXPECT_EQ(revoke(access, name), 2u) << name;
    EXPECT_EQ(access.grants.size(), 1u) << name;
    EXPECT_EQ(revoke(access, name), 0u) << name;
    EXPECT_EQ(revoke(access, ""), 0u);
  }
}

TEST(Grants, combine_flags_one_by_one) {
  for (int a = 0; a < 32; ++a) {
    for (int b = 0; b < 32; ++b) {
      const auto flags = [](int bits) {
        return GrantFlags{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0};
      };
      EXPECT_EQ(either(flags(a), flags(b)), flags(a | b));
      EXPECT_EQ(both(flags(a), flags(b)), flags(a & b));
      EXPECT_EQ(without(flags(a), flags(b)), flags(a & ~b));
    }
  }
}

}  // namespace
}  // namespace handrail::policy

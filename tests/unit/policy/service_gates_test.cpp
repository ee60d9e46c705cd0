#include <gtest/gtest.h>

#include "policy/gates/approval.h"
#include "policy/gates/files.h"
#include "policy/gates/services.h"

namespace handrail::policy::gates {
namespace {

const catalog::ActionCall kCall;

CallService to(const char* destination, const char* interface, const char* method) {
  return {destination, "/", interface, method};
}

Judgement judged(const Plan& plan, const std::vector<TargetFacts>& targets = {}) {
  UseFacts facts{kCall, plan};
  facts.targets = targets;
  return services(facts).judgement;
}

TEST(ServiceGates, never_reach_what_goes_round_the_others) {
  for (const CallService& call :
       {to("org.freedesktop.systemd1", "org.freedesktop.systemd1.Manager", "StartUnit"),
        to("org.freedesktop.secrets", "org.freedesktop.DBus.Properties", "Get"),
        to("org.example.Alias", "org.freedesktop.Secret.Collection", "SearchItems"),
        to("org.kde.kwalletd5", "org.kde.KWallet", "readPassword"), to("ORG.GNOME.keyring", "a.b", "c"),
        to("org.freedesktop.DBus", "org.freedesktop.DBus", "RequestName"),
        to("org.freedesktop.DBus", "org.freedesktop.DBus", "StartServiceByName"),
        to("org.freedesktop.portal.Desktop", "org.freedesktop.portal.RemoteDesktop", "Start"),
        to("org.freedesktop.impl.portal.PermissionStore", "org.freedesktop.impl.portal.PermissionStore", "Set"),
        to("org.a11y.Bus", "org.freedesktop.DBus.Properties", "Set"),
        to("org.gnome.SessionManager", "org.gnome.SessionManager", "Shutdown")}) {
    EXPECT_EQ(judged(call), Judgement::deny) << call.destination << " " << call.method;
  }
}

TEST(ServiceGates, judge_the_interface_of_a_property) {
  CallService set = to("org.example.Many", "org.freedesktop.DBus.Properties", "Set");
  set.arguments = R"(["org.example.Many", "Colour", {"type": "s", "value": "red"}])";
  EXPECT_EQ(judged(set), Judgement::allow);
  set.arguments = R"(["org.gnome.Shell", "OverviewActive", {"type": "b", "value": true}])";
  EXPECT_EQ(judged(set), Judgement::deny);
  for (const char* arguments : {R"(["", "OverviewActive"])", "[]", "[5]"}) {
    set.arguments = arguments;
    EXPECT_EQ(judged(set), Judgement::deny) << arguments << ": some services look through all of theirs";
  }
}

TEST(ServiceGates, let_other_services_be_asked_about) {
  EXPECT_EQ(judged(to("org.example.Clock", "org.example.Clock", "Now")), Judgement::allow);
  EXPECT_EQ(judged(to("org.freedesktop.DBus", "org.freedesktop.DBus", "ListNames")), Judgement::allow);
  EXPECT_EQ(judged(to("org.freedesktop.Notifications", "org.freedesktop.Notifications", "Notify")), Judgement::allow);
  EXPECT_EQ(judged(InputPlan{}), Judgement::allow);
}

TEST(ServiceGates, hold_the_tier_of_the_app_behind) {
  const Plan call = to("org.example.Browser", "org.example.Browser", "Open");
  TargetFacts target;
  target.standing.kind = StandingKind::not_granted;
  EXPECT_EQ(judged(call, {target}), Judgement::allow);
  target.standing.app.most = GrantTier::read;
  EXPECT_EQ(judged(call, {target}), Judgement::deny);
  target.standing.kind = StandingKind::granted;
  target.standing.tier = GrantTier::click;
  EXPECT_EQ(judged(call, {target}), Judgement::deny);
  target.standing.tier = GrantTier::full;
  EXPECT_EQ(judged(call, {target}), Judgement::allow);
  target.standing.kind = StandingKind::denied;
  EXPECT_EQ(judged(call, {target}), Judgement::deny);
}

TEST(ServiceGates, ask_a_person_each_time) {
  const Plan call = to("org.example.Clock", "org.example.Clock", "Now");
  UseFacts facts{kCall, call};
  EXPECT_EQ(approval(facts).judgement, Judgement::ask);
  facts.flags.shell = true;
  EXPECT_EQ(approval(facts).judgement, Judgement::ask) << "on a person's desktop";
  facts.persons_desktop = false;
  EXPECT_EQ(approval(facts).judgement, Judgement::ask) << "a service may start anything, outside of the sandbox";
  CallService offered = to("org.example.App", "org.gtk.Actions", "Activate");
  offered.offered = true;
  const Plan app_action = offered;
  EXPECT_EQ(approval(UseFacts{kCall, app_action}).judgement, Judgement::allow);
}

// A mail program asked to open a key file would show it to whoever may look at the mail program.
TEST(ServiceGates, ask_before_an_app_opens_a_file_that_is_not_granted) {
  const Plan plain = OpenApp{"mousepad"};
  EXPECT_EQ(approval({kCall, plain}).judgement, Judgement::allow);
  const Plan open = OpenApp{"mousepad", "/home/me/.ssh/id_ed25519"};
  UseFacts facts{kCall, open};
  EXPECT_EQ(approval(facts).judgement, Judgement::ask) << "nobody knows where it is";
  facts.flags.files = true;
  for (const auto& [standing, judgement] : {std::pair{FileStanding::granted, Judgement::allow},
                                            {FileStanding::outside, Judgement::ask},
                                            {FileStanding::own, Judgement::ask}}) {
    facts.file = standing;
    EXPECT_EQ(approval(facts).judgement, judgement);
    EXPECT_EQ(files(facts).judgement, standing == FileStanding::own ? Judgement::deny : Judgement::allow);
  }
  facts.file = FileStanding::granted;
  facts.flags.files = false;
  EXPECT_EQ(approval(facts).judgement, Judgement::ask) << "using files is not granted";
}

TEST(ServiceGates, ask_before_a_persons_screen_is_locked) {
  ChangeSystem lock;
  lock.verb = SystemVerb::lock_screen;
  const Plan plan = lock;
  UseFacts facts{kCall, plan};
  EXPECT_EQ(approval(facts).judgement, Judgement::ask);
  facts.persons_desktop = false;
  EXPECT_EQ(approval(facts).judgement, Judgement::allow);
  const Plan notify = ChangeSystem{};
  EXPECT_EQ(approval(UseFacts{kCall, notify}).judgement, Judgement::allow);
}

}  // namespace
}  // namespace handrail::policy::gates

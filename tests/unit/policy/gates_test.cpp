#include <gtest/gtest.h>

#include "policy/gates/argument_limits.h"
#include "policy/grants.h"
#include "policy/pipeline.h"

namespace handrail::policy {
namespace {

const catalog::ActionCall kCall{};
const Plan kPlan = InputPlan{};

AdmissionFacts admission() { return {kCall, false, "", {}}; }
Look look() { return {"look-1", 0, {0, 0, 100, 100}, {100, 100}, 1, 42, {}}; }
UseFacts use() { return {kCall, kPlan, false, "", look(), 0, 42}; }

TEST(Pipeline, names_every_gate_once_a_table) {
  std::vector<std::string_view> names;
  for (const auto& gate : admission_gates()) names.push_back(gate.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"kill_switch", "os_permission", "argument_limits"}));
  names.clear();
  for (const auto& gate : time_of_use_gates()) names.push_back(gate.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"kill_switch", "stale_look"}));
}

TEST(Admission, allows_an_ordinary_call) { EXPECT_TRUE(judge(admission()).allowed()); }

TEST(Admission, refuses_everything_when_switched_off) {
  AdmissionFacts facts = admission();
  facts.stopped = true;
  facts.stopped_because = "the owner said so";
  const Ruling ruling = judge(facts);
  EXPECT_EQ(ruling.gate, "kill_switch");
  const Error error = refusal(ruling);
  EXPECT_EQ(error.code, Code::gate_refused);
  EXPECT_EQ(error.gate, "kill_switch");
  EXPECT_EQ(error.side_effects, SideEffects::none);
  EXPECT_NE(error.message.find("the owner said so"), std::string::npos);
}

TEST(Admission, names_what_is_missing_and_the_fix) {
  AdmissionFacts facts = admission();
  facts.capability = {false, "the XTEST extension", "Start the X server with it."};
  const Error error = refusal(judge(facts));
  EXPECT_EQ(error.code, Code::permission_missing);
  EXPECT_NE(error.message.find("XTEST"), std::string::npos);
  EXPECT_EQ(error.hint, "Start the X server with it.");
}

TEST(Admission, bounds_the_text_of_a_call) {
  catalog::ActionCall call;
  call.arguments = {{"steps", {{{"text", std::string(gates::kMaxArgumentBytes, 'x')}}}}};
  EXPECT_TRUE(judge(AdmissionFacts{call, false, "", {}}).allowed());
  call.arguments["more"] = "x";
  EXPECT_EQ(refusal(judge(AdmissionFacts{call, false, "", {}})).code, Code::too_large);
}

TEST(TimeOfUse, judges_the_look_that_coordinates_came_through) {
  EXPECT_TRUE(judge(use()).allowed());
  UseFacts none = use();
  none.look.reset();
  none.layout.reset();
  EXPECT_TRUE(judge(none).allowed()) << "no coordinates, nothing to be stale";
  UseFacts moved = use();
  moved.layout = 43;
  EXPECT_EQ(refusal(judge(moved)).code, Code::target_stale);
  UseFacts unknown = use();
  unknown.layout.reset();
  EXPECT_EQ(refusal(judge(unknown)).code, Code::target_stale) << "unknown is the stricter value";
  UseFacts other = use();
  other.selected_display = 1;
  EXPECT_EQ(refusal(judge(other)).code, Code::target_stale);
  EXPECT_EQ(judge(other).gate, "stale_look");
}

TEST(Grants, follow_the_owners_rules_before_anyone_is_asked) {
  AccessRules rules;
  rules.granted = {{"org.xfce.mousepad", GrantTier::click, ""}};
  rules.denied = {"Netflix"};
  int asked = 0;
  const Approver yes = [&asked](const AccessRequest&, std::stop_token) {
    ++asked;
    return Answer::yes;
  };
  Access held = initial_access(rules);
  AccessRequest request{{{"org.xfce.Mousepad.desktop", GrantTier::read}}, "why", {}};
  held = decide(rules, held, request, yes, {});
  EXPECT_EQ(asked, 0) << "granted by the config file, in any spelling";
  EXPECT_EQ(held.grants.at(0).tier, GrantTier::click) << "asking for less takes nothing away";
  request.apps = {{"netflix", GrantTier::read}};
  held = decide(rules, held, request, yes, {});
  EXPECT_EQ(asked, 0) << "a denied app is not even asked about";
  EXPECT_EQ(held.grants.size(), 1u);
  request.apps = {{"galculator", GrantTier::full}};
  held = decide(rules, held, request, yes, {});
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(held.grants.at(1), (Grant{"galculator", GrantTier::full, "terminal"}));
}

TEST(Grants, are_refused_without_an_approver_or_a_yes) {
  const AccessRequest request{{{"galculator", GrantTier::full}}, "why", {true, true, true}};
  EXPECT_TRUE(decide({}, {}, request, nullptr, {}).grants.empty());
  const Access after = decide({}, {}, request, [](const AccessRequest&, std::stop_token) { return Answer::no; }, {});
  EXPECT_TRUE(after.grants.empty());
  EXPECT_EQ(after.flags, GrantFlags{});
}

TEST(Grants, come_by_policy_on_a_desktop_that_is_nobodys) {
  AccessRules rules;
  rules.nobodys_desktop = true;
  rules.denied = {"netflix"};
  const AccessRequest request{
      {{"galculator", GrantTier::full}, {"netflix", GrantTier::read}}, "why", {true, false, false}};
  const Access access = decide(rules, {}, request, nullptr, {});
  EXPECT_EQ(access.grants, (std::vector<Grant>{{"galculator", GrantTier::full, "policy"}}));
  EXPECT_TRUE(access.flags.clipboard_read);
  EXPECT_FALSE(access.flags.clipboard_write);
}

}  // namespace
}  // namespace handrail::policy

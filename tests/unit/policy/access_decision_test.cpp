#include "policy/access_decision.h"

#include <gtest/gtest.h>

#include "policy/standing.h"

namespace handrail::policy {
namespace {

AskedApp asked(std::string app, std::string executable, std::uint64_t inode, GrantTier tier = GrantTier::full) {
  AppProgram program;
  program.app.id = app;
  program.identity.file = {1, inode, 3};
  program.identity.executable = std::move(executable);
  program.identity.desktop_id = app;
  return {{std::move(app), tier}, program, ""};
}

const AskedApp kEditor = asked("org.xfce.mousepad", "/usr/bin/mousepad", 10);
const AskedApp kBrowser = asked("firefox", "/usr/lib/firefox/firefox", 11);
const AskedApp kTerminal = asked("debian-xterm", "/usr/bin/xterm", 12);
const AskedApp kPlayer = asked("spotify", "/usr/share/spotify/spotify", 13);
const AskedApp kPrompt = asked("pinentry-qt", "/usr/bin/pinentry-qt", 14);

AskedApp at(AskedApp app, GrantTier tier) {
  app.request.tier = tier;
  return app;
}

Decision deciding(const AccessRules& rules, const std::vector<AskedApp>& apps, const Access& held = {},
                  GrantFlags flags = {}) {
  AccessRequest request;
  for (const AskedApp& app : apps) request.apps.push_back(app.request);
  request.reason = "to write a letter";
  request.flags = flags;
  return decide(rules, AppCatalog::builtin(), held, request, apps);
}

ConsentAnswer answer(const Decision& decision, ConsentChoice choice) {
  return {.choice = choice, .by = "dialog", .reason = "", .digest = consent_digest(decision.question)};
}

Grant grant_of(const AskedApp& app, GrantTier tier, std::string source, Persist persist = Persist::session) {
  return {app.request.app,
          tier,
          std::move(source),
          persist,
          app.program->identity.executable,
          app.program->identity.file,
          ""};
}

TEST(Decision, leaves_a_question_for_a_person) {
  const Decision decision =
      deciding({}, {kEditor, at(kTerminal, GrantTier::click)}, {}, {true, false, false, false, false});
  EXPECT_TRUE(decision.reply.access.grants.empty());
  ASSERT_EQ(decision.question.items.size(), 2u);
  EXPECT_EQ(decision.question.items[0].executable, "/usr/bin/mousepad");
  EXPECT_EQ(decision.question.items[0].tier, GrantTier::full);
  EXPECT_EQ(decision.question.items[0].before, std::nullopt);
  EXPECT_EQ(decision.question.items[1].app, "XTerm");
  EXPECT_EQ(decision.question.items[1].sentinel, Sentinel::shell);
  EXPECT_EQ(decision.question.reason, "to write a letter");
  EXPECT_EQ(decision.question.offered,
            (std::vector{ConsentChoice::deny, ConsentChoice::session, ConsentChoice::always}))
      << "flags have no end of their own";

  const AccessReply yes = apply(decision, answer(decision, ConsentChoice::session));
  EXPECT_EQ(yes.access.grants, (std::vector{grant_of(kEditor, GrantTier::full, "dialog"),
                                            grant_of(kTerminal, GrantTier::click, "dialog")}));
  EXPECT_EQ(yes.access.flags, (GrantFlags{true, false, false, false, false}));
  EXPECT_TRUE(yes.answers[0].granted && yes.answers[1].granted);
  EXPECT_EQ(yes.answers[0].reason, "");

  ConsentAnswer refused = answer(decision, ConsentChoice::deny);
  refused.reason = "The person said no.";
  const AccessReply no = apply(decision, refused);
  EXPECT_EQ(no.access, Access{});
  EXPECT_FALSE(no.answers[0].granted || no.answers[1].granted);
  EXPECT_EQ(no.answers[0].reason, "The person said no.");
}

TEST(Decision, keeps_how_long_a_yes_lasts) {
  const Decision decision = deciding({}, {kEditor});
  EXPECT_EQ(decision.question.offered.size(), 4u);
  for (const auto& [choice, persist] :
       {std::pair{ConsentChoice::once, Persist::once}, std::pair{ConsentChoice::session, Persist::session},
        std::pair{ConsentChoice::always, Persist::always}}) {
    EXPECT_EQ(apply(decision, answer(decision, choice)).access.grants,
              (std::vector{grant_of(kEditor, GrantTier::full, "dialog", persist)}));
  }
}

TEST(Decision, takes_only_an_answer_to_this_question) {
  const Decision decision = deciding({}, {kEditor});
  ConsentAnswer other = answer(deciding({}, {kTerminal}), ConsentChoice::session);
  EXPECT_EQ(apply(decision, other).access, Access{});
  other.digest = "";
  EXPECT_EQ(apply(decision, other).access, Access{});
  const Decision flags = deciding({}, {kEditor}, {}, {false, true, false, false, false});
  EXPECT_EQ(apply(flags, answer(flags, ConsentChoice::once)).access, Access{}) << "that was not on offer";
}

TEST(Decision, gives_no_more_than_the_category) {
  const Decision decision = deciding({}, {kBrowser});
  ASSERT_EQ(decision.question.items.size(), 1u);
  EXPECT_EQ(decision.question.items[0].tier, GrantTier::read);
  const AccessReply reply = apply(decision, answer(decision, ConsentChoice::session));
  EXPECT_TRUE(reply.answers[0].granted);
  EXPECT_EQ(reply.answers[0].tier, GrantTier::read);
  EXPECT_NE(reply.answers[0].reason.find("read at most"), std::string::npos) << reply.answers[0].reason;
  const AccessReply no = apply(decision, answer(decision, ConsentChoice::deny));
  EXPECT_EQ(no.answers[0].reason.find("at most"), std::string::npos);
}

TEST(Decision, asks_nobody_about_what_is_denied) {
  AccessRules rules;
  rules.apps = {{"mousepad", true}};
  for (const bool nobodys : {false, true}) {
    rules.nobodys_desktop = nobodys;
    const Decision decision = deciding(rules, {kPlayer, kPrompt, kEditor});
    EXPECT_TRUE(decision.question.empty());
    EXPECT_EQ(decision.reply.access, Access{});
    for (const AppAnswer& told : decision.reply.answers) {
      EXPECT_FALSE(told.granted) << told.app;
      EXPECT_FALSE(told.reason.empty()) << told.app;
    }
    EXPECT_EQ(apply(decision, {ConsentChoice::always, "dialog", "", ""}).access, Access{});
  }
}

TEST(Decision, refuses_what_cannot_be_told_for_sure) {
  AskedApp missing{{"nosuch", GrantTier::full}, std::nullopt, "No app is called nosuch."};
  AskedApp silent{{"nosuch", GrantTier::full}, std::nullopt, ""};
  AskedApp no_file = kEditor;
  no_file.program->identity.file = {};
  AskedApp own = kEditor;
  own.program->identity.own = true;
  AskedApp replaced = kEditor;
  replaced.program->identity.replaced = true;
  const AskedApp interpreter = asked("python3", "/usr/bin/python3.11", 20);
  for (const bool nobodys : {false, true}) {
    AccessRules rules;
    rules.nobodys_desktop = nobodys;
    const Decision decision = deciding(rules, {missing, silent, no_file, own, replaced, interpreter});
    EXPECT_TRUE(decision.question.empty());
    EXPECT_EQ(decision.reply.access, Access{});
    EXPECT_EQ(decision.reply.answers[0].reason, "No app is called nosuch.");
    for (const AppAnswer& told : decision.reply.answers) {
      EXPECT_FALSE(told.granted);
      EXPECT_FALSE(told.reason.empty());
    }
  }
}

TEST(Decision, shows_what_is_raised) {
  Access held;
  held.grants = {grant_of(kEditor, GrantTier::read, "dialog")};
  const Decision decision = deciding({}, {kEditor}, held);
  ASSERT_EQ(decision.question.items.size(), 1u);
  EXPECT_EQ(decision.question.items[0].before, GrantTier::read);
  EXPECT_EQ(decision.question.items[0].tier, GrantTier::full);
  const AccessReply no = apply(decision, answer(decision, ConsentChoice::deny));
  EXPECT_EQ(no.access, held);
  EXPECT_TRUE(no.answers[0].granted);
  EXPECT_EQ(no.answers[0].tier, GrantTier::read) << "what is held stays held";
  EXPECT_FALSE(no.answers[0].reason.empty());
  const Decision less = deciding({}, {at(kEditor, GrantTier::read)}, held);
  EXPECT_TRUE(less.question.empty());
  EXPECT_EQ(less.reply.access, held);
  EXPECT_TRUE(less.reply.answers[0].granted);
}

TEST(Decision, answers_by_policy_on_nobodys_desktop) {
  AccessRules rules;
  rules.nobodys_desktop = true;
  const Decision decision = deciding(rules, {kEditor, kBrowser, kTerminal}, {}, {true, true, true, true, true});
  EXPECT_TRUE(decision.question.empty());
  EXPECT_EQ(decision.reply.access.grants,
            (std::vector{grant_of(kEditor, GrantTier::full, "policy"), grant_of(kBrowser, GrantTier::read, "policy"),
                         grant_of(kTerminal, GrantTier::click, "policy")}));
  EXPECT_EQ(decision.reply.access.flags, (GrantFlags{true, true, true, false, false}))
      << "files and shell reach beyond the desktop";
  EXPECT_EQ(decision.reply.answers[0].reason, "");
  EXPECT_FALSE(decision.reply.answers[1].reason.empty());
}

TEST(Decision, gives_files_on_nobodys_desktop_when_all_folders_are_its_own) {
  AccessRules rules;
  rules.nobodys_desktop = true;
  rules.of_the_desktop.files = true;
  EXPECT_EQ(deciding(rules, {}, {}, {false, false, false, true, true}).reply.access.flags,
            (GrantFlags{false, false, false, true, false}));
  rules.nobodys_desktop = false;
  const Decision asked = deciding(rules, {}, {}, {false, false, false, true, true});
  EXPECT_EQ(asked.reply.access.flags, GrantFlags{}) << "a person decides";
  EXPECT_EQ(asked.question.flags, (GrantFlags{false, false, false, true, true}));
}

TEST(Decision, gives_what_the_owner_granted_at_launch) {
  AccessRules rules;
  rules.granted = {{"XTERM", GrantTier::full}, {"org.xfce.mousepad.desktop", GrantTier::click}};
  rules.flags.clipboard_read = true;
  const Decision first = deciding(rules, {kTerminal}, {}, {true, false, false, false, false});
  EXPECT_TRUE(first.question.empty());
  EXPECT_EQ(first.reply.access.grants, (std::vector{grant_of(kTerminal, GrantTier::full, "config")}))
      << "the owner's word is above the category";
  EXPECT_TRUE(first.reply.access.flags.clipboard_read);
  const Decision more = deciding(rules, {kEditor});
  EXPECT_EQ(more.reply.access.grants, (std::vector{grant_of(kEditor, GrantTier::click, "config")}));
  ASSERT_EQ(more.question.items.size(), 1u);
  EXPECT_EQ(more.question.items[0].before, GrantTier::click);
  rules.apps = {{"xterm", false, GrantTier::read}};
  EXPECT_EQ(deciding(rules, {kTerminal}).reply.access.grants,
            (std::vector{grant_of(kTerminal, GrantTier::read, "config")}));
  rules.apps = {{"xterm", true}};
  EXPECT_TRUE(deciding(rules, {kTerminal}).reply.access.grants.empty());
}

TEST(Decision, binds_the_owners_names_to_programs) {
  AccessRules rules;
  rules.granted = {{"Terminal", GrantTier::full}, {"nosuch", GrantTier::full}};
  AskedApp terminal = kTerminal;
  terminal.request.app = "Terminal";
  EXPECT_EQ(deciding(rules, {terminal}).reply.access.grants[0].tier, GrantTier::click) << "a title names no program";
  bind_to_programs(rules, {terminal, {{"nosuch", GrantTier::full}, std::nullopt, "none"}});
  EXPECT_EQ(rules.granted, (std::vector<AppRequest>{{"debian-xterm", GrantTier::full}, {"nosuch", GrantTier::full}}));
  EXPECT_EQ(deciding(rules, {terminal}).reply.access.grants[0].tier, GrantTier::full);
}

TEST(Decision, asks_once_about_one_program_under_two_names) {
  AskedApp again = at(kEditor, GrantTier::full);
  again.request.app = "Mousepad";
  const Decision decision = deciding({}, {at(kEditor, GrantTier::read), again});
  ASSERT_EQ(decision.question.items.size(), 1u);
  EXPECT_EQ(decision.question.items[0].tier, GrantTier::full);
  const AccessReply yes = apply(decision, answer(decision, ConsentChoice::session));
  EXPECT_EQ(yes.access.grants, (std::vector{grant_of(kEditor, GrantTier::full, "dialog")}));
  ASSERT_EQ(yes.answers.size(), 2u);
  EXPECT_TRUE(yes.answers[0].granted && yes.answers[1].granted);
  EXPECT_EQ(yes.answers[1].reason, "");
  const AccessReply no = apply(decision, answer(decision, ConsentChoice::deny));
  EXPECT_FALSE(no.answers[0].granted || no.answers[1].granted);
  EXPECT_FALSE(no.answers[1].reason.empty());
}

TEST(Decision, asks_nothing_for_nothing) {
  const Decision decision = deciding({}, {});
  EXPECT_TRUE(decision.question.empty());
  Access held;
  held.flags.clipboard_read = true;
  EXPECT_TRUE(deciding({}, {}, held, held.flags).question.empty()) << "held already";
  const Decision flag = deciding({}, {}, {}, {false, true, false, false, false});
  EXPECT_EQ(flag.question.flags, (GrantFlags{false, true, false, false, false}));
  EXPECT_FALSE(apply(flag, answer(flag, ConsentChoice::deny)).access.flags.clipboard_write);
  EXPECT_TRUE(apply(flag, answer(flag, ConsentChoice::session)).access.flags.clipboard_write);
}

}  // namespace
}  // namespace handrail::policy

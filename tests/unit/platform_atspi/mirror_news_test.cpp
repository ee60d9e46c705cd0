// What an event takes out of a mirror, and what it leaves.
#include "platform/atspi/mirror_news.h"

#include <gtest/gtest.h>

#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

// root - window - (panel - (one, two), other)
Mirror small_app() {
  Mirror app;
  app.met = app.current = true;
  const auto add = [&](const std::string& path, std::vector<std::string> children) {
    Node& node = app.nodes[path];
    node.path = path;
    node.has_states = node.described = node.has_interfaces = node.listed = node.placed = node.valued = true;
    node.child_count = static_cast<std::int32_t>(children.size());
    node.children = std::move(children);
  };
  add(kRoot, {"/window"});
  add("/window", {"/panel", "/other"});
  add("/panel", {"/one", "/two"});
  for (const char* leaf : {"/one", "/two", "/other"}) add(leaf, {});
  return app;
}

Said hear(Mirror& app, TreeEvent event) {
  hear_news(app, std::move(event));
  return take_news(app);
}

TEST(MirrorNews, AChildThatComesOrGoesIsListedAgainAndReadAgain) {
  for (const char* what : {"add", "remove"}) {
    Mirror app = small_app();
    EXPECT_EQ(hear(app, {"ChildrenChanged", what, 0, "/panel", "/one"}), Said::shape);
    EXPECT_FALSE(app.nodes.contains("/one"));
    EXPECT_FALSE(app.nodes["/panel"].listed);
    EXPECT_FALSE(app.nodes["/panel"].described);
    EXPECT_TRUE(app.nodes["/two"].described);
    EXPECT_TRUE(app.nodes["/window"].listed);
    EXPECT_FALSE(app.suspicious);
  }
}

TEST(MirrorNews, WhatIsInAChildGoesWithIt) {
  Mirror app = small_app();
  hear(app, {"ChildrenChanged", "remove", 0, "/window", "/panel"});
  EXPECT_EQ(app.nodes.size(), 3U);
  EXPECT_TRUE(app.nodes.contains("/other"));
}

TEST(MirrorNews, WindowsOfTheRootAreListedAgainWithoutAskingForTheirNumber) {
  Mirror app = small_app();
  hear(app, {"Window", "Create", 0, "/window", {}});
  EXPECT_FALSE(app.nodes[kRoot].listed);
  EXPECT_TRUE(app.nodes[kRoot].described);
  EXPECT_EQ(app.nodes[kRoot].child_count, -1);
}

TEST(MirrorNews, ParentsThatNobodyKnowsAreSuspiciousOnce) {
  Mirror app = small_app();
  hear(app, {"ChildrenChanged", "add", 0, "/elsewhere", "/new"});
  EXPECT_TRUE(app.suspicious);
  app.suspicious = false;
  hear(app, {"ChildrenChanged", "add", 1, "/elsewhere", "/newer"});
  EXPECT_FALSE(app.suspicious) << "it was still unknown after all was read";
  hear(app, {"StateChanged", "showing", 1, "/hidden", {}});
  EXPECT_TRUE(app.suspicious);
}

TEST(MirrorNews, WordsAndStatesAreReadAgainAndNothingElseIs) {
  Mirror app = small_app();
  EXPECT_EQ(hear(app, {"PropertyChange", "accessible-name", 0, "/other", {}}), Said::words);
  EXPECT_FALSE(app.nodes["/other"].described);
  EXPECT_FALSE(app.nodes["/window"].described) << "names are made of labels inside";
  EXPECT_TRUE(app.nodes["/one"].described);
  EXPECT_TRUE(app.nodes["/other"].listed);

  app = small_app();
  EXPECT_EQ(hear(app, {"PropertyChange", "accessible-value", 0, "/one", {}}), Said::words);
  EXPECT_FALSE(app.nodes["/one"].valued);
  EXPECT_TRUE(app.nodes["/one"].described);
  EXPECT_TRUE(app.nodes["/two"].valued);

  app = small_app();
  EXPECT_EQ(hear(app, {"StateChanged", "checked", 1, "/one", {}}), Said::words);
  EXPECT_FALSE(app.nodes["/one"].has_states);
  EXPECT_TRUE(app.nodes["/two"].has_states);

  app = small_app();
  EXPECT_EQ(hear(app, {"StateChanged", "sensitive", 0, "/panel", {}}), Said::words);
  for (const char* path : {"/panel", "/one", "/two"}) EXPECT_FALSE(app.nodes[path].has_states) << path;
  EXPECT_TRUE(app.nodes["/other"].has_states);

  app = small_app();
  hear(app, {"SelectionChanged", {}, 0, "/panel", {}});
  EXPECT_FALSE(app.nodes["/two"].has_states);
  EXPECT_TRUE(app.nodes["/other"].has_states);
}

TEST(MirrorNews, WhatIsDefunctIsGoneAndWhatIsNotStays) {
  Mirror app = small_app();
  hear(app, {"StateChanged", "defunct", 0, "/one", {}});
  EXPECT_TRUE(app.nodes.contains("/one"));
  hear(app, {"StateChanged", "defunct", 1, "/one", {}});
  EXPECT_FALSE(app.nodes.contains("/one"));
  EXPECT_FALSE(app.nodes["/panel"].listed);
  hear(app, {"RemoveAccessible", {}, 0, "/other", {}});
  EXPECT_FALSE(app.nodes.contains("/other"));
  EXPECT_FALSE(app.nodes["/window"].listed);
}

TEST(MirrorNews, CirclesEnd) {
  Mirror app = small_app();
  app.nodes["/one"].children = {"/panel"};
  hear(app, {"StateChanged", "showing", 1, "/panel", {}});
  hear(app, {"ChildrenChanged", "remove", 0, "/window", "/panel"});
  EXPECT_FALSE(app.nodes.contains("/two"));
}

TEST(MirrorNews, TooMuchIsNotRememberedButNotForgotten) {
  Mirror app = small_app();
  for (int i = 0; i < 10'000; ++i) hear_news(app, {"StateChanged", "focused", 1, "/one", {}});
  EXPECT_LT(app.said.size(), 5000U);
  take_news(app);
  EXPECT_TRUE(app.suspicious);
  EXPECT_TRUE(app.said.empty());
  // Of an app that was never read there is nothing to forget.
  Mirror unread;
  hear_news(unread, {"StateChanged", "focused", 1, "/one", {}});
  EXPECT_TRUE(unread.said.empty());
}

TEST(MirrorNews, DisagreementsAreCountedWhereTheMirrorClaimedToKnow) {
  const Mirror app = small_app();
  Nodes fresh = app.nodes;
  EXPECT_EQ(disagreements(app.nodes, fresh), 0U);
  fresh["/one"].name = "Another";
  fresh["/two"].states = 7;
  fresh["/panel"].children = {"/two", "/one"};
  EXPECT_EQ(disagreements(app.nodes, fresh), 3U);
  Nodes before = app.nodes;
  before["/one"].described = before["/two"].has_states = before["/panel"].listed = false;
  EXPECT_EQ(disagreements(before, fresh), 0U);
  EXPECT_EQ(disagreements({}, fresh), 0U);
}

}  // namespace
}  // namespace handrail::atspi

// Trees that nobody could read as a whole, made up by an app that speaks to the bus itself.
#include <gtest/gtest.h>

#include <set>

#include "platform/atspi/accessibility.h"
#include "support/bus_session.h"

namespace handrail::atspi {
namespace {

using testing::bus_at;
using testing::eventually;
using testing::Program;
using testing::Session;
using testing::soon;

class TreeApp {
 public:
  TreeApp(Session& session, const std::string& shape, const std::string& toolkit = "Made up") {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    program_ = std::make_unique<Program>(std::vector<std::string>{session.app("tree_bus"), shape, toolkit},
                                         session.environment, ends[1]);
    ::close(ends[1]);
    char line[16];
    pollfd source{ends[0], POLLIN, 0};
    const bool up = ::poll(&source, 1, 40000) > 0 && ::read(ends[0], line, sizeof line) > 0;
    ::close(ends[0]);
    if (!up) throw std::runtime_error("tree_bus did not start");
  }
  std::int64_t pid() const { return program_->pid(); }

 private:
  std::unique_ptr<Program> program_;
};

struct Looked {
  ElementTree tree;
  double took = 0;
};

Looked look(AtspiAccessibility& port, std::int64_t pid, std::size_t most = 500) {
  TreeRequest request;
  request.pids = {pid};
  request.most = most;
  const TimePoint start = Clock::now();
  const auto found = port.trees(request, soon());
  Looked looked;
  looked.took = millis_since(start);
  if (found.ok() && !found->empty()) looked.tree = found->front();
  return looked;
}

// A second is what one question may take; the rest is for a busy machine.
constexpr double kInBudget = 6000;

class Limits : public ::testing::TestWithParam<const char*> {};

TEST_P(Limits, AMillionChildrenAreCut) {
  Session session;
  TreeApp app(session, "wide", GetParam());
  AtspiAccessibility port(bus_at(session.address));
  const Looked looked = look(port, app.pid());
  EXPECT_LE(looked.tree.elements.size(), 500U);
  EXPECT_FALSE(looked.tree.complete);
  EXPECT_FALSE(looked.tree.why.empty());
  EXPECT_GT(looked.tree.left_out, 990'000U);
  EXPECT_LT(looked.took, kInBudget);
}

TEST_P(Limits, TenThousandLevelsAreCut) {
  Session session;
  TreeApp app(session, "deep", GetParam());
  AtspiAccessibility port(bus_at(session.address));
  const Looked looked = look(port, app.pid(), 5000);
  EXPECT_LE(looked.tree.elements.size(), 300U);
  EXPECT_FALSE(looked.tree.complete);
  EXPECT_FALSE(looked.tree.why.empty());
  EXPECT_LT(looked.took, kInBudget);
}

TEST_P(Limits, CirclesAreCut) {
  Session session;
  TreeApp app(session, "cyclic", GetParam());
  AtspiAccessibility port(bus_at(session.address));
  std::set<std::string> seen;
  ElementTree tree;
  ASSERT_TRUE(eventually([&] { return (tree = look(port, app.pid()).tree).complete; })) << tree.why;
  for (const Element& element : tree.elements) EXPECT_TRUE(seen.insert(element.id.object).second);
  EXPECT_EQ(seen, (std::set<std::string>{"/n/1", "/n/2", "/n/3", "/n/4"}));
}

INSTANTIATE_TEST_SUITE_P(Apps, Limits, ::testing::Values("Made up", "gtk"),
                         [](const auto& each) { return std::string(each.param) == "gtk" ? "at_once" : "walked"; });

TEST(TreeLimits, CountsThatLieAreNotBelieved) {
  Session session;
  AtspiAccessibility port(bus_at(session.address));
  TreeApp more(session, "more");
  EXPECT_TRUE(eventually([&] { return look(port, more.pid()).tree.elements.size() == 5; }));
  TreeApp fewer(session, "fewer");
  const Looked looked = look(port, fewer.pid());
  EXPECT_LE(looked.tree.elements.size(), 500U);
  EXPECT_FALSE(looked.tree.complete);
  EXPECT_LT(looked.took, kInBudget);
}

TEST(TreeLimits, RowsThatAreMadeAsTheyAreAskedForAreNot) {
  Session session;
  TreeApp app(session, "rows");
  AtspiAccessibility port(bus_at(session.address));
  ElementTree tree;
  ASSERT_TRUE(eventually([&] { return (tree = look(port, app.pid()).tree).elements.size() == 2; }));
  EXPECT_TRUE(tree.elements.back().states.has(ElementState::unbounded));
  EXPECT_FALSE(tree.complete);
  EXPECT_EQ(tree.left_out, 1U << 30);
}

TEST(TreeLimits, AnAppThatSaysNothingOrDiesCostsItsTimeAndNoMore) {
  Session session;
  TreeApp mute(session, "mute"), dying(session, "dying"), cyclic(session, "cyclic");
  AtspiAccessibility port(bus_at(session.address));
  TreeRequest request;
  request.pids = {mute.pid(), dying.pid(), cyclic.pid()};
  for (int i = 0; i < 3; ++i) {
    const TimePoint start = Clock::now();
    const auto found = port.trees(request, soon());
    ASSERT_TRUE(found.ok()) << to_text(found.error());
    EXPECT_LT(millis_since(start), kInBudget);
    ASSERT_FALSE(found->empty());
    EXPECT_EQ(found->front().pid, mute.pid());
    EXPECT_FALSE(found->front().complete);
    EXPECT_EQ(found->front().why, "the app stopped answering");
    EXPECT_EQ(found->back().pid, cyclic.pid());
    EXPECT_EQ(found->back().elements.size(), 4U);
  }
  ASSERT_TRUE(eventually([&] { return look(port, dying.pid()).tree.elements.empty(); }));
}

TEST(TreeLimits, AnAppThatChangesWithoutAWordIsFoundOutByAnAudit) {
  Session session;
  TreeApp honest(session, "cyclic", "Chromium"), sly(session, "sly", "Chromium");
  AtspiAccessibility::Pace each_time;
  each_time.audit = each_time.young = Millis(0);
  each_time.share = 0;
  atspi::WindowPlaces places;
  places.changes = []() -> Result<std::uint64_t> { return 1; };
  AtspiAccessibility port(bus_at(session.address), places, each_time);
  ASSERT_TRUE(
      eventually([&] { return look(port, honest.pid()).tree.complete && look(port, sly.pid()).tree.complete; }));
  look(port, honest.pid());
  look(port, sly.pid());
  EXPECT_FALSE(port.work(honest.pid()).doubted);
  EXPECT_TRUE(port.work(sly.pid()).doubted);
}

TEST(TreeLimits, WhatShowsOfALongPageIsFoundByTheAppItself) {
  Session session;
  TreeApp walked(session, "page"), searched(session, "page", "Chromium");
  AtspiAccessibility port(bus_at(session.address));
  const auto lines = [&](const TreeApp& app) {
    std::vector<std::string> found;
    for (const Element& element : look(port, app.pid(), 4000).tree.elements) {
      found.push_back(element.id.object + " " + element.role + " " + element.name + " " +
                      std::to_string(element.place) + " " + std::to_string(element.parent));
    }
    return found;
  };
  std::vector<std::string> one, other;
  ASSERT_TRUE(eventually([&] { return (one = lines(walked)).size() == 12; })) << one.size();
  const std::uint64_t before = port.work(walked.pid()).questions;
  ASSERT_TRUE(eventually([&] { return (other = lines(searched)).size() == 12; })) << other.size();
  const std::uint64_t asked = port.work(walked.pid()).questions - before;
  EXPECT_EQ(one, other);
  EXPECT_EQ(one.back(), "/n/1012 push button Object 1012 1009 1");
  EXPECT_LT(asked, 300U) << "not one for each of the 3,000";
  EXPECT_TRUE(look(port, searched.pid(), 4000).tree.complete);
}

}  // namespace
}  // namespace handrail::atspi

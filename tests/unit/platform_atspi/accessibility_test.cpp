// Trees of real apps. The oracle is what the apps log of their own widgets.
#include "platform/atspi/accessibility.h"

#include <gtest/gtest.h>

#include <random>

#include "panel.h"

namespace handrail::atspi {
namespace {

using testing::bus_at;
using testing::eventually;
using testing::Panel;
using testing::Places;
using testing::Session;
using testing::soon;
using testing::ToldButton;

bool is_button(const Element& element) { return element.role == "push button" || element.role == "button"; }

ElementTree tree_of(AtspiAccessibility& port, std::int64_t pid, bool showing = true, bool values = false) {
  TreeRequest request;
  request.pids = {pid};
  request.showing = showing;
  request.values = values;
  const auto found = port.trees(request, soon());
  return found.ok() && found->size() == 1 ? found->front() : ElementTree();
}

// The buttons of the column; scroll bars and frames may have some of their own.
std::vector<Element> column(const ElementTree& tree) {
  std::vector<Element> found;
  for (const Element& element : tree.elements) {
    if (is_button(element) && !element.name.empty()) found.push_back(element);
  }
  return found;
}

bool near(const Rect& a, const Rect& b) {
  return std::abs(a.x - b.x) <= 2 && std::abs(a.y - b.y) <= 2 && std::abs(a.width - b.width) <= 2 &&
         std::abs(a.height - b.height) <= 2;
}

std::string text_of(const Rect& r) {
  return std::to_string(r.x) + " " + std::to_string(r.y) + " " + std::to_string(r.width) + " " +
         std::to_string(r.height);
}

// What differs from what the panel says; empty when nothing does. Cut ones are compared where they are not cut.
std::string difference(const ElementTree& tree, const std::vector<ToldButton>& told) {
  const std::vector<Element> found = column(tree);
  if (found.size() != told.size()) return std::to_string(found.size()) + " buttons";
  for (std::size_t i = 0; i < told.size(); ++i) {
    const Element& element = found[i];
    if (element.name != told[i].name) return element.name + " is " + told[i].name;
    if (element.states.has(ElementState::enabled) != told[i].enabled) return element.name + " enabled";
    if (element.bounds.empty()) continue;
    const bool whole = std::abs(element.bounds.height - told[i].at.height) <= 2;
    if (whole && !near(element.bounds, told[i].at)) {
      return element.name + " at " + text_of(element.bounds) + " not " + text_of(told[i].at);
    }
    if (!whole && intersect(element.bounds, told[i].at) != element.bounds) return element.name + " is cut wrong";
  }
  return {};
}

class Trees : public ::testing::TestWithParam<const char*> {};

TEST_P(Trees, AreWhatTheAppSaysOfItself) {
  Session session;
  Panel panel(session, GetParam());
  Places windows(session);
  AtspiAccessibility port(bus_at(session.address), windows.known);
  std::string differs;
  const auto agrees = [&] {
    return eventually(
        [&] { return (differs = difference(tree_of(port, panel.pid(), false), panel.buttons())).empty(); });
  };
  ASSERT_TRUE(agrees()) << differs;
  const ElementTree all = tree_of(port, panel.pid(), false, true), shown = tree_of(port, panel.pid());
  EXPECT_EQ(all.pid, panel.pid());
  EXPECT_TRUE(all.complete) << all.why;
  // Some are scrolled away: 300 points are not enough for all.
  EXPECT_EQ(column(all).size(), 12U);
  EXPECT_LT(column(shown).size(), 12U);
  EXPECT_GT(column(shown).size(), 1U);
  std::set<std::string> values;
  for (const Element& element : all.elements) {
    if (!element.value.empty()) values.insert(element.value);
  }
  EXPECT_TRUE(values.contains("some words"));
  EXPECT_TRUE(values.contains("42"));
  EXPECT_FALSE(values.contains("canary"));
  for (const Element& element : shown.elements) {
    EXPECT_EQ(element.window, panel.window()) << element.role << " " << element.name;
    EXPECT_FALSE(element.bounds.empty() && column(shown).front().id == element.id);
  }
  // Scrolled and moved, the same port follows.
  panel.order("scroll 60");
  EXPECT_TRUE(agrees()) << differs;
  panel.order("move 420 260");
  ASSERT_TRUE(eventually([&] { return panel.buttons().front().at.x > 400; }));
  EXPECT_TRUE(agrees()) << differs;
  EXPECT_GT(column(tree_of(port, panel.pid())).front().bounds.x, 400);
}

TEST_P(Trees, AWarmLookIsWhatAColdOneIs) {
  Session session;
  Panel panel(session, GetParam());
  Places windows(session);
  AtspiAccessibility port(bus_at(session.address), windows.known);
  ASSERT_TRUE(eventually([&] { return difference(tree_of(port, panel.pid(), false), panel.buttons()).empty(); }));
  std::mt19937 random(7);
  int count = 12;
  for (int i = 0; i < 100; ++i) {
    const std::string place = std::to_string(random() % static_cast<unsigned>(count));
    const unsigned kind = random() % 4;
    if (kind == 0 || count < 3) {
      panel.order("add New " + std::to_string(i));
      ++count;
    } else if (kind == 1) {
      panel.order("remove " + place);
      --count;
    } else if (kind == 2) {
      panel.order("name " + place + " Name " + std::to_string(i));
    } else {
      panel.order("enable " + place + " " + std::to_string(random() % 2));
    }
    // The panel has answered, so it has changed: the next look must know, at once.
    const std::vector<ToldButton> told = panel.buttons();
    const ElementTree warm = tree_of(port, panel.pid(), false);
    std::vector<std::string> names, seen;
    for (const ToldButton& button : told) names.push_back(button.name + (button.enabled ? "" : " off"));
    for (const Element& button : column(warm)) {
      seen.push_back(button.name + (button.states.has(ElementState::enabled) ? "" : " off"));
    }
    ASSERT_EQ(seen, names) << "after " << i;
  }
  AtspiAccessibility fresh(bus_at(session.address), windows.known);
  EXPECT_TRUE(eventually(
      [&] { return tree_of(port, panel.pid(), false).elements == tree_of(fresh, panel.pid(), false).elements; }));
}

TEST_P(Trees, AnElementIsReadAgainAndRefusedWhenItIsAnother) {
  Session session;
  Panel panel(session, GetParam());
  Places windows(session);
  AtspiAccessibility port(bus_at(session.address), windows.known);
  ASSERT_TRUE(eventually([&] {
    return difference(tree_of(port, panel.pid()), panel.buttons()).empty() ||
           column(tree_of(port, panel.pid())).size() > 2;
  }));
  const auto key_at = [&](std::size_t button) {
    const ElementTree tree = tree_of(port, panel.pid());
    std::size_t at = 0;
    for (std::size_t i = 0; i < tree.elements.size(); ++i) {
      if (is_button(tree.elements[i]) && !tree.elements[i].name.empty() && at++ == button) return key_of(tree, i);
    }
    return ElementKey();
  };
  const ElementKey first = key_at(0), second = key_at(1);
  const auto again = port.read(first, soon());
  ASSERT_TRUE(again.ok()) << to_text(again.error());
  Element expected = column(tree_of(port, panel.pid())).front();
  expected.parent = again->parent;
  expected.value = again->value;
  expected.depth = again->depth;
  EXPECT_EQ(*again, expected);
  AtspiAccessibility fresh(bus_at(session.address), windows.known);
  const auto unseen = fresh.read(first, soon());
  ASSERT_TRUE(unseen.ok()) << to_text(unseen.error());
  EXPECT_EQ(unseen->bounds, again->bounds);

  const auto refused = [&](const ElementKey& key) {
    const auto read = port.read(key, soon());
    return !read.ok() && read.error().code == Code::target_stale;
  };
  panel.order("name 0 Another");
  panel.buttons();
  EXPECT_TRUE(refused(first));
  panel.order("remove 0");
  panel.buttons();
  EXPECT_TRUE(refused(first));
  EXPECT_TRUE(refused(second)) << "it is the first one now";
  ElementKey other = key_at(0);
  ASSERT_TRUE(port.read(other, soon()).ok());
  other.pid = ::getpid();
  EXPECT_TRUE(refused(other));
  const ElementKey last = key_at(0);
  panel.end();
  EXPECT_TRUE(eventually([&] { return refused(last); }));
}

TEST_P(Trees, TheFocusedElementAndChangesAreTold) {
  Session session;
  Panel panel(session, GetParam());
  Places windows(session);
  AtspiAccessibility port(bus_at(session.address), windows.known);
  EXPECT_TRUE(eventually([&] {
    const auto focused = port.focused(panel.pid(), soon());
    return focused.ok() && *focused && (*focused)->value == "some words";
  }));
  ASSERT_TRUE(eventually([&] { return !column(tree_of(port, panel.pid())).empty(); }));
  for (int i = 0; i < 5; ++i) {
    panel.buttons();
    const auto seen = port.change_count({panel.pid()}, soon());
    ASSERT_TRUE(seen.ok());
    panel.order("name 0 Name " + std::to_string(i));
    const auto now = port.wait_for_change({panel.pid()}, *seen, soon(), {});
    ASSERT_TRUE(now.ok()) << to_text(now.error());
    EXPECT_GT(*now, *seen);
  }
  const auto never = port.wait_for_change({::getpid()}, 0, Deadline::in(Millis(30)), {});
  ASSERT_FALSE(never.ok());
  EXPECT_EQ(never.error().code, Code::timeout);
}

INSTANTIATE_TEST_SUITE_P(Apps, Trees, ::testing::Values("panel_gtk3", "panel_gtk4", "panel_qt5"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Accessibility, AStoppedAppDelaysNobody) {
  Session session;
  Panel stopped(session, "panel_gtk3"), other(session, "panel_qt5", "300x300+700+100");
  Places windows(session);
  AtspiAccessibility port(bus_at(session.address), windows.known);
  ASSERT_TRUE(eventually(
      [&] { return !column(tree_of(port, stopped.pid())).empty() && !column(tree_of(port, other.pid())).empty(); }));
  stopped.signal(SIGSTOP);
  TreeRequest request;
  request.pids = {stopped.pid(), other.pid()};
  for (int i = 0; i < 3; ++i) {
    const TimePoint start = Clock::now();
    const auto found = port.trees(request, soon());
    const double took = millis_since(start);
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->size(), 2U);
    EXPECT_FALSE(found->front().complete);
    EXPECT_EQ(found->front().why, "the app stopped answering");
    EXPECT_TRUE(found->back().complete) << found->back().why;
    EXPECT_FALSE(column(found->back()).empty());
    EXPECT_LT(took, 10000);
  }
  stopped.signal(SIGCONT);
  EXPECT_TRUE(eventually([&] { return tree_of(port, stopped.pid()).complete; }));
}

TEST(Accessibility, WithoutABusNobodyHasATree) {
  AtspiAccessibility none(bus_at(""));
  TreeRequest request;
  request.pids = {::getpid()};
  EXPECT_TRUE(none.trees(request, soon())->empty());
  EXPECT_EQ(none.focused(::getpid(), soon()).value(), std::nullopt);
  EXPECT_EQ(none.read({}, soon()).error().code, Code::target_stale);
  AtspiAccessibility gone(bus_at("unix:path=/nonexistent/bus"));
  EXPECT_FALSE(gone.trees(request, soon()).ok());
}

}  // namespace
}  // namespace handrail::atspi

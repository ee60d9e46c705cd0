// What needs no app: items joined to a tree, texts made fit, windows recognised.
#include <gtest/gtest.h>

#include "platform/atspi/cache_items.h"
#include "platform/atspi/element_places.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/told_text.h"
#include "platform/atspi/tree_search.h"

namespace handrail::atspi {
namespace {

CacheItem item(const std::string& path, const std::string& parent, int place, int children) {
  CacheItem made;
  made.node.path = path;
  made.node.parent = parent;
  made.node.child_count = children;
  made.node.described = made.node.has_states = true;
  made.place = place;
  return made;
}

TEST(CacheItems, AreATreeWhereAllChildrenAreThere) {
  const Nodes nodes = join_items({item("/b", "/top", 1, 0), item("/top", kRoot, 0, 2), item("/a", "/top", 0, 2),
                                  item("/a1", "/a", 0, 0), item(kRoot, "", -1, 1), item("/top", "/a", 1, 0)});
  EXPECT_EQ(nodes.size(), 5U);
  EXPECT_EQ(nodes.at("/top").children, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_TRUE(nodes.at("/top").listed);
  EXPECT_TRUE(nodes.at("/b").listed);
  EXPECT_FALSE(nodes.at("/a").listed) << "one of its two is missing";
}

TEST(CacheItems, PlacesThatDoNotFitAreNotBelieved) {
  const Nodes nodes = join_items({item(kRoot, "", -1, 2), item("/a", kRoot, 0, 0), item("/b", kRoot, 0, 0)});
  EXPECT_FALSE(nodes.at(kRoot).listed);
}

TEST(ToldText, IsValidAndPlain) {
  EXPECT_EQ(told_text("plain", 10), "plain");
  EXPECT_EQ(told_text("a\x01 b\nc\x7f", 10), "a  b c ");
  EXPECT_EQ(told_text("a\nb\tc\r", 10, true), "a\nb\tc ");
  EXPECT_EQ(told_text("\xff\xc3", 10), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(told_text("\xc2\x9b\xc3\xa4", 10), " \xc3\xa4");
  EXPECT_EQ(told_text("\xc3\xa4\xc3\xb6\xc3\xbc", 2), "\xc3\xa4\xc3\xb6");
}

TEST(PlaceWindow, ByPlaceSizeAndTitle) {
  const AppWindow one{1, {300, 200, 362, 225}, {301, 220, 360, 200}, {301, 220, 360, 200}, 11, "One"};
  const AppWindow two{1, {600, 400, 362, 225}, {601, 420, 360, 200}, {601, 420, 360, 200}, 12, "Two"};
  const auto id = [&](const char* toolkit, const Rect& told, const char* title) -> WindowId {
    const std::vector<AppWindow> windows{one, two};
    const auto found = place_window(toolkit, told, title, windows);
    return found ? found->window->id : 0;
  };
  EXPECT_EQ(id("gtk", {600, 400, 362, 225}, ""), 12U);
  EXPECT_EQ(id("Qt", {301, 220, 360, 200}, "Two"), 11U) << "the place says more than the title";
  EXPECT_EQ(id("GTK", {0, 0, 360, 200}, "Two"), 12U);
  EXPECT_EQ(id("GTK", {0, 0, 900, 700}, "Nobody"), 0U);
}

// The places of a LibreOffice window: those of its own widgets are told as if there were no menu bar of 25 pixels.
TEST(PlaceElements, WidgetsOfLibreOfficeAreBelowItsMenuBar) {
  Mirror app;
  app.toolkit = "gtk";
  const auto add = [&](const std::string& path, const std::string& parent, std::uint32_t role, Rect at) {
    Node& node = app.nodes[path];
    node.path = path;
    node.role = role;
    node.at = at;
    node.described = node.has_states = node.placed = node.listed = true;
    node.states = std::uint64_t{1} << static_cast<unsigned>(StateBit::showing);
    if (!parent.empty()) app.nodes[parent].children.push_back(path);
    if (!parent.empty()) app.nodes[parent].child_count += 1;
  };
  constexpr std::uint32_t kPanel = 39, kFrame = 23, kPushButton = 43;
  add(kRoot, "", kApplicationRole, {});
  add("/frame", kRoot, kFrame, {100, 50, 800, 600});
  add("/gtk", "/frame", kPanel, {100, 75, 800, 575});
  add("/own", "/gtk", kRootPane, {100, 50, 800, 575});
  add("/button", "/own", kPushButton, {104, 52, 44, 35});
  add("/box", "/own", kPanel, {104, 100, 200, 34});
  add("/inner", "/box", kPanel, {104, 125, 200, 34});
  add("/field", "/inner", kPushButton, {104, 125, 100, 34});
  Scene scene;
  scene.known = true;
  scene.windows = {{1, {100, 50, 800, 600}, {100, 50, 800, 600}, {100, 50, 800, 600}, 11, "Sheet"}};
  const auto at = [&](const std::string& path) {
    Cut cut;
    const std::vector<Chosen> chosen = choose(app, true, 100, cut);
    for (const Element& element : place_elements(app, chosen, scene, true, std::nullopt)) {
      if (element.id.object == path) return element.bounds;
    }
    return Rect{};
  };
  EXPECT_EQ(at("/button"), (Rect{104, 52, 44, 35})) << "of another app";
  app.name = "soffice";
  EXPECT_EQ(at("/own"), (Rect{100, 75, 800, 575}));
  EXPECT_EQ(at("/button"), (Rect{104, 77, 44, 35}));
  EXPECT_EQ(at("/box"), (Rect{104, 125, 200, 34}));
  EXPECT_EQ(at("/inner"), (Rect{104, 125, 200, 34}));
  EXPECT_EQ(at("/field"), (Rect{104, 125, 100, 34}));
}

}  // namespace
}  // namespace handrail::atspi

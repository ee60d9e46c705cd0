// Acts on the elements of real apps. The oracle is what the apps log of their own widgets.
#include "platform/atspi/act.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "panel.h"
#include "support/test_permit.h"
#include "widgets.h"

namespace handrail::atspi {
namespace {

using testing::bus_at;
using testing::desk;
using testing::eventually;
using testing::Places;
using testing::Program;
using testing::Session;
using testing::soon;
using testing::Widgets;

struct Want {
  const char *role, *name;
  ElementVerb verb;
  std::string text;
  std::vector<std::string> path;
  std::string did;  // as the app logs it; empty: nothing
  std::optional<Code> error;
};

using enum ElementVerb;

std::vector<Want> wants(const std::string& app) {
  const bool gtk3 = app == "widgets_gtk3", qt = app == "widgets_qt5", gtk4 = app == "widgets_gtk4";
  std::vector<Want> all{
      {"push button", "Button 2", press, "", {}, "press Button 2", {}},
      {"push button", "Button 3", press, qt ? "press" : "CLICK", {}, "press Button 3", {}},
      {"push button", "Button 3", press, "fly", {}, "", Code::capability_unsupported},
      {"push button", "Button 3", set_value, "x", {}, "", Code::capability_unsupported},
      {"text", "Entry", set_value, "new words", {}, "entry new words", {}},
      {"text", "Entry", set_value, "日本 😀 ü", {}, "entry 日本 😀 ü", {}},
      {"text", "View", set_value, "line 1\nline 2", {}, "view line 1\nline 2", {}},
      {"slider", "Slider", set_value, "37", {}, "slider 37", {}},
      {"slider", "Slider", set_value, "137", {}, "", Code::argument_invalid},
      {"slider", "Slider", set_value, "much", {}, "", Code::argument_invalid},
      {"spin button", "Spin", set_value, "12", {}, "spin 12", {}},
      {"page tab", "Back", press, "", {}, "tab Back", {}},
      {"list item", "Monday", press, "", {}, "days Monday", {}},
      {"list item", "Tuesday", press, "", {}, "days Tuesday", {}},
  };
  const auto add = [&](std::vector<Want> more) { all.insert(all.end(), more.begin(), more.end()); };
  if (!gtk4) {
    add({{"check box", "Check", press, "", {}, "check true", {}},
         {"check box", "Check", set_value, "on", {}, "", {}},
         {"check box", "Check", set_value, "off", {}, "check false", {}},
         {"check box", "Check", set_value, "maybe", {}, "", Code::argument_invalid},
         {"menu bar", "", menu, "", {"File", "New"}, std::string("menu ") + (qt ? "&New" : "_New"), {}},
         {"push button",
          "Button 0",
          menu,
          "",
          {"_file", "open"},
          std::string("menu ") + (qt ? "&Open…" : "_Open…"),
          {}},
         {"push button", "Button 0", menu, "", {"File", "Recent", "Second"}, "menu Second", {}},
         {"push button", "Button 0", menu, "", {"File", "Nothing"}, "", Code::not_found},
         {"push button", "Button 0", menu, "", {"File", "Recent"}, "", Code::argument_invalid},
         {"push button", "Button 0", menu, "", {"Edit", "Paste"}, "", Code::capability_unsupported}});
  }
  if (qt) {
    add({{"menu item", "Edit", menu, "", {"Copy"}, "menu &Copy", {}},
         {"list item", "Bee", press, "", {}, "row Bee", {}},
         {"table cell", "Elm", press, "", {}, "leaf Elm", {}},
         {"table cell", "Elm", set_value, "expanded", {}, "", Code::capability_unsupported},
         {"combo box", "Red", set_value, "Green", {}, "", Code::capability_unsupported},
         {"combo box", "Red", set_value, "Pink", {}, "", Code::argument_invalid}});
  }
  if (gtk3) {
    add({{"toggle button", "Switch", set_value, "on", {}, "switch true", {}},
         {"combo box", "Combo", set_value, "Blue", {}, "combo Blue", {}},
         {"combo box", "Combo", set_value, "Pink", {}, "", Code::argument_invalid},
         {"combo box", "Combo", press, "", {}, "", Code::capability_unsupported},
         {"menu", "File", press, "", {}, "", Code::capability_unsupported},
         {"menu", "File", menu, "", {"New"}, "menu _New", {}},
         {"toggle button", "Tools", press, "", {}, "", Code::capability_unsupported},
         {"toggle button", "Tools", set_value, "Hammer", {}, "menu Hammer", {}},
         {"menu", "File", menu, "", {"File", "Recent", "Second"}, "menu Second", {}},
         {"toggle button", "More", set_value, "expanded", {}, "expand true", {}},
         {"table cell", "Oak", press, "", {}, "leaf Oak", {}},
         {"table cell", "Elm", press, "", {}, "leaf Elm", {}},
         {"table cell", "Oak", set_value, "expanded", {}, "branch true", {}},
         {"table cell", "Oak leaf", press, "", {}, "leaf Oak leaf", {}},
         {"table cell", "Oak", set_value, "collapsed", {}, "branch false", {}}});
  }
  if (gtk4) {
    add({{"check box", "Switch", set_value, "on", {}, "switch true", {}},
         {"push button", "More", press, "", {}, "expand true", {}},
         {"push button", "Tools", press, "", {}, "", Code::capability_unsupported},
         {"push button", "Red", press, "", {}, "", Code::capability_unsupported},
         {"list item", "Bee", press, "", {}, "row Bee", {}},
         {"list", "Items", set_value, "Cat", {}, "item Cat", {}},
         {"list item", "Oak", set_value, "expanded", {}, "branch true", {}},
         {"list item", "Oak", set_value, "collapsed", {}, "branch false", {}},
         {"push button", "Expand", press, "", {}, "branch true", {}},
         {"menu item", "File", menu, "", {"win.open"}, "menu _Open…", {}},
         {"menu item", "File", menu, "", {"New"}, "", Code::capability_unsupported},
         {"check box", "Check", press, "", {}, "", Code::capability_unsupported},
         {"combo box", "Drop", set_value, "Blue", {}, "", Code::capability_unsupported},
         {"frame", "widgets_gtk4", press, "win.copy", {}, "menu _Copy", {}},
         {"push button", "Button 0", menu, "", {"File", "New"}, "", Code::capability_unsupported},
         {"combo box", "Combo", set_value, "Blue", {}, "", Code::capability_unsupported}});
  }
  add({{gtk3 ? "list box" : "list", "List", set_value, "Cat", {}, "row Cat", {}}});
  return all;
}

std::optional<ElementKey> find(AtspiAccessibility& port, std::int64_t pid, const std::string& role,
                               const std::string& name) {
  TreeRequest request;
  request.pids = {pid};
  request.showing = false;
  const auto trees = port.trees(request, soon());
  if (!trees.ok() || trees->empty()) return std::nullopt;
  const ElementTree& tree = trees->front();
  for (std::size_t i = 0; i < tree.elements.size(); ++i) {
    const Element& element = tree.elements[i];
    if (element.role == role && (element.name == name || shown_name(tree, i) == name)) return key_of(tree, i);
  }
  return std::nullopt;
}

Result<ElementReport> act(AtspiAccessibility& port, const ElementKey& key, const Want& want) {
  return port.act({key, want.verb, want.text, want.path}, engine::PermitMint::mint(), soon(), {});
}

class Acts : public ::testing::TestWithParam<const char*> {};

TEST_P(Acts, ReachTheAppAndNobodyElse) {
  Session session;
  Widgets app(session, GetParam());
  // Somebody works in another window.
  const std::string log = session.folder / "editor.log";
  Program editor({session.app("editor_gtk3"), "--log", log, "--geometry", "300x200+640+300"}, session.environment);
  const auto editing = [&] {
    std::ifstream in(log);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return text.find("\"in\":true") != std::string::npos;
  };
  ASSERT_TRUE(eventually(editing));
  Places windows(session);
  AtspiAccessibility port(bus_at(session.address), windows.known);
  ASSERT_TRUE(eventually([&] { return find(port, app.pid(), "slider", "Slider").has_value(); }));
  const nlohmann::json before = desk(session);
  for (const Want& want : wants(GetParam())) {
    const std::string what = std::string(want.role) + " " + want.name + " " + want.text;
    const auto key = find(port, app.pid(), want.role, want.name);
    if (!key) {
      ADD_FAILURE() << what << " is not in the tree";
      continue;
    }
    const std::size_t done = app.did().size();
    const auto report = act(port, *key, want);
    // A button of Qt is pressed for a while before it is clicked.
    if (!want.did.empty()) eventually([&] { return app.did().size() > done; });
    const std::vector<std::string> did = app.did();
    const std::optional<Code> error = report.ok() ? std::nullopt : std::optional(report.error().code);
    EXPECT_EQ(error, want.error) << what << ": " << (report.ok() ? report->how : report.error().message);
    const std::string last = did.size() > done ? did.back() : "";
    EXPECT_EQ(last, want.did) << what;
    if (report.ok() && want.verb == set_value && report->how != "menu") {
      EXPECT_TRUE(report->as_wanted) << what << ": " << report->how << ", " << report->before.value_or("-") << " -> "
                                     << report->after.value_or("-");
    }
    EXPECT_EQ(desk(session), before) << what;
  }
}

TEST_P(Acts, InsertAtTheCaret) {
  Session session;
  Widgets app(session, GetParam());
  AtspiAccessibility port(bus_at(session.address));
  ASSERT_TRUE(eventually([&] { return find(port, app.pid(), "text", "View").has_value(); }));
  const auto view = find(port, app.pid(), "text", "View");
  for (const char* part : {"日本 😀", " and ü"}) {
    const auto report = act(port, *view, {"", "", insert, part, {}, "", {}});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report->as_wanted) << report->after.value_or("-");
    EXPECT_TRUE(report->answered);
  }
  const std::string whole = app.did().back();
  EXPECT_NE(whole.find("日本 😀"), std::string::npos) << whole;
  EXPECT_NE(whole.find(" and ü"), std::string::npos) << whole;
  EXPECT_EQ(whole.size(), std::string("view 日本 😀 and ü").size()) << whole;
}

// Between the look and the act the element is moved among its neighbours, renamed, taken away, or another one takes its
// place. The app has done it before the act begins.
TEST_P(Acts, AreRefusedWhenItIsAnotherElement) {
  Session session;
  Widgets app(session, GetParam());
  AtspiAccessibility port(bus_at(session.address));
  ASSERT_TRUE(eventually([&] { return find(port, app.pid(), "push button", "Button 5").has_value(); }));
  const char* full = ::getenv("HANDRAIL_FULL");
  const int trials = full != nullptr && *full == '1' ? 170 : 12;
  // As they stand, and a name that nobody had.
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) names.push_back("Button " + std::to_string(i));
  for (int trial = 0; trial < trials; ++trial) {
    const int place = trial % 5;
    const std::string at = std::to_string(place), name = names[static_cast<std::size_t>(place)];
    std::optional<ElementKey> key;
    ASSERT_TRUE(eventually([&] { return (key = find(port, app.pid(), "push button", name)).has_value(); })) << name;
    const std::string fresh = "Fresh " + std::to_string(trial);
    const auto gone = names.begin() + place;
    switch (trial % 4) {
      case 0:
        app.order("last " + at);
        std::rotate(gone, gone + 1, names.end());
        break;
      case 1:
        app.order("name " + at + " " + fresh);
        *gone = fresh;
        break;
      case 2:
        app.order("remove " + at);
        app.order("add " + fresh);
        names.erase(gone);
        names.push_back(fresh);
        break;
      default:
        app.order("replace " + at);
        // Qt puts it behind the others.
        if (std::string(GetParam()) == "widgets_qt5") std::rotate(gone, gone + 1, names.end());
    }
    app.did();
    const auto report = act(port, *key, {"", "", press, "", {}, "", {}});
    ASSERT_FALSE(report.ok()) << trial << ": " << name;
    ASSERT_EQ(report.error().code, Code::target_stale) << trial << ": " << report.error().message;
  }
  // Whatever was pressed before would have been logged before this.
  const auto key = find(port, app.pid(), "push button", names[0]);
  ASSERT_TRUE(key);
  ASSERT_TRUE(act(port, *key, {"", "", press, "", {}, "", {}}).ok());
  ASSERT_TRUE(eventually([&] { return !app.logged().empty(); }));
  EXPECT_EQ(app.did(), std::vector<std::string>{"press " + names[0]});
}

TEST_P(Acts, OfAStoppedAppAreGivenUp) {
  Session session;
  Widgets app(session, GetParam());
  AtspiAccessibility port(bus_at(session.address));
  ASSERT_TRUE(eventually([&] { return find(port, app.pid(), "push button", "Button 1").has_value(); }));
  const auto first = find(port, app.pid(), "push button", "Button 0");
  const auto second = find(port, app.pid(), "push button", "Button 1");
  app.signal(SIGSTOP);
  const auto report = act(port, *first, {"", "", press, "", {}, "", {}});
  app.signal(SIGCONT);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, Code::timeout) << report.error().message;
  // It does not do later what was given up.
  ASSERT_TRUE(eventually([&] { return act(port, *second, {"", "", press, "", {}, "", {}}).ok(); }));
  ASSERT_TRUE(eventually([&] { return !app.logged().empty(); }));
  EXPECT_EQ(app.logged().front(), "press Button 1");
}

TEST(ActsOnTwo, OneThatHangsDelaysNobody) {
  Session session;
  Widgets hung(session, "widgets_gtk3"), other(session, "widgets_qt5");
  AtspiAccessibility port(bus_at(session.address));
  std::optional<ElementKey> stuck, free;
  ASSERT_TRUE(eventually([&] { return (stuck = find(port, hung.pid(), "push button", "Button 0")).has_value(); }));
  ASSERT_TRUE(eventually([&] { return (free = find(port, other.pid(), "push button", "Button 0")).has_value(); }));
  hung.signal(SIGSTOP);
  std::atomic<bool> over = false;
  std::jthread hand([&] {
    const auto report = act(port, *stuck, {"", "", press, "", {}, "", {}});
    EXPECT_FALSE(report.ok());
    over = true;
  });
  // One may come before it has begun to wait, but not two.
  int done = 0;
  while (!over) {
    ASSERT_TRUE(find(port, other.pid(), "push button", "Button 0").has_value());
    if (!over) ++done;
    const bool pressed = done != 1 || act(port, *free, {"", "", press, "", {}, "", {}}).ok();
    EXPECT_TRUE(pressed);
  }
  EXPECT_GE(done, 2) << "the others were kept waiting";
  hung.signal(SIGCONT);
}

// GTK 3 says no.
TEST(ActsOnPlaces, ShowIsRefusedWhereTheAppDoesNotScroll) {
  Session session;
  testing::Panel panel(session, "panel_gtk3");
  AtspiAccessibility port(bus_at(session.address));
  std::optional<ElementKey> last;
  ASSERT_TRUE(eventually([&] { return (last = find(port, panel.pid(), "push button", "Button 11")).has_value(); }));
  const auto report = act(port, *last, {"", "", show, "", {}, "", {}});
  ASSERT_FALSE(report.ok()) << report->how;
  EXPECT_EQ(report.error().code, Code::capability_unsupported) << report.error().message;
}

class Asking : public ::testing::TestWithParam<const char*> {};

// While a dialog of GTK 3 that was opened by a call is open, the app says nothing on the bus at all.
TEST_P(Asking, OpensADialog) {
  Session session;
  Widgets app(session, GetParam());
  AtspiAccessibility port(bus_at(session.address));
  ASSERT_TRUE(eventually([&] { return find(port, app.pid(), "push button", "Ask").has_value(); }));
  const auto ask = find(port, app.pid(), "push button", "Ask");
  const auto report = act(port, *ask, {"", "", press, "", {}, "", {}});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_TRUE(eventually([&] { return app.logged() == std::vector<std::string>{"asked "}; }));
  if (std::string(GetParam()) == "widgets_gtk3") {
    EXPECT_FALSE(report->after);
    return;
  }
  EXPECT_TRUE(report->reacted) << report->how;
  // The dialog can be answered the same way.
  std::optional<ElementKey> ok;
  ASSERT_TRUE(eventually([&] {
    ok = find(port, app.pid(), "push button", "OK");
    return ok.has_value();
  }));
  EXPECT_TRUE(eventually([&] { return act(port, *ok, {"", "", press, "", {}, "", {}}).ok(); }));
  EXPECT_TRUE(eventually([&] { return !find(port, app.pid(), "push button", "OK").has_value(); }));
}

INSTANTIATE_TEST_SUITE_P(Toolkits, Asking, ::testing::Values("widgets_gtk3", "widgets_qt5"));
INSTANTIATE_TEST_SUITE_P(Toolkits, Acts, ::testing::Values("widgets_gtk3", "widgets_gtk4", "widgets_qt5"));

}  // namespace
}  // namespace handrail::atspi

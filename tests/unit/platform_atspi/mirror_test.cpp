// The mirror of real apps that change all the time. The oracle is a second reader that has never seen them before.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "panel.h"
#include "platform/x11/screen.h"

namespace handrail::atspi {
namespace {

using testing::bus_at;
using testing::eventually;
using testing::Panel;
using testing::Places;
using testing::Session;
using testing::soon;

// Nothing is read again of its own accord: what the mirror has, it has from what the apps said.
constexpr AtspiAccessibility::Pace kBelieving{std::chrono::hours(1), Millis(0)};

ElementTree look(AtspiAccessibility& port, std::int64_t pid, bool showing) {
  TreeRequest request;
  request.pids = {pid};
  request.showing = showing;
  request.values = true;
  const auto found = port.trees(request, soon());
  return found.ok() && found->size() == 1 ? found->front() : ElementTree();
}

std::string line_of(const Element& e) {
  return e.id.object + " " + e.role + " '" + e.name + "' '" + e.description + "' = '" + e.value + "' at " +
         std::to_string(e.bounds.x) + "," + std::to_string(e.bounds.y) + " " + std::to_string(e.bounds.width) + "x" +
         std::to_string(e.bounds.height) + " place " + std::to_string(e.place) + " parent " + std::to_string(e.parent) +
         (e.states.has(ElementState::enabled) ? "" : " off") + (e.states.has(ElementState::showing) ? "" : " hidden") +
         (e.states.has(ElementState::focused) ? " focused" : "");
}

// The first line that differs; empty when nothing does.
std::string difference(const ElementTree& mirrored, const ElementTree& fresh) {
  for (std::size_t i = 0; i < std::max(mirrored.elements.size(), fresh.elements.size()); ++i) {
    const std::string one = i < mirrored.elements.size() ? line_of(mirrored.elements[i]) : "nothing";
    const std::string other = i < fresh.elements.size() ? line_of(fresh.elements[i]) : "nothing";
    if (one != other) return one + "\nis\n" + other;
    if (mirrored.elements[i] != fresh.elements[i]) return one + " in its states";
  }
  return {};
}

class Mirrors : public ::testing::TestWithParam<const char*> {
 protected:
  Session session;
  Panel panel{session, GetParam()};
  Places windows{session};
  x11::X11Screen screen{windows.connection};
  std::mt19937 random{11};
  int count = 12;

  Mirrors() {
    windows.known.changes = [this] { return screen.change_count(soon()); };
  }

  std::string change(int i) {
    const std::string place = std::to_string(random() % static_cast<unsigned>(count));
    const std::string some = std::to_string(random() % 2);
    switch (count < 3 ? 0 : random() % 10) {
      case 0: ++count; return "add New " + std::to_string(i);
      case 1: --count; return "remove " + place;
      case 2: return "name " + place + " Name " + std::to_string(i);
      case 3: return "enable " + place + " " + some;
      case 4: return "show " + place + " " + some;
      case 5: return "first " + place;
      case 6: return "all " + some;
      case 7: return "text words " + std::to_string(i);
      case 8: return "slide " + std::to_string(random() % 100);
      default: return "scroll " + std::to_string(random() % 120);
    }
  }
};

TEST_P(Mirrors, AreWhatAFreshReaderSees) {
  const bool full = std::getenv("HANDRAIL_FULL") != nullptr;
  AtspiAccessibility port(bus_at(session.address), windows.known, kBelieving);
  ASSERT_TRUE(eventually([&] { return look(port, panel.pid(), false).elements.size() > 12; }));
  for (int i = 0; i < (full ? 500 : 60); ++i) {
    const std::string order = change(i);
    panel.order(order);
    // Now and then several at once.
    if (random() % 3 == 0) continue;
    panel.buttons();
    const bool showing = random() % 2 == 0;
    // What an app lays out later it says later, and the two looks are not one.
    std::string differs;
    const bool agrees = eventually([&] {
      const ElementTree mirrored = look(port, panel.pid(), showing);
      AtspiAccessibility fresh(bus_at(session.address), windows.known);
      return (differs = difference(mirrored, look(fresh, panel.pid(), showing))).empty();
    });
    ASSERT_TRUE(agrees) << "after " << i << ", " << order << ": " << differs;
  }
}

TEST_P(Mirrors, CostOneQuestionWhileNothingHappens) {
  AtspiAccessibility port(bus_at(session.address), windows.known, kBelieving);
  ASSERT_TRUE(eventually([&] { return look(port, panel.pid(), true).elements.size() > 8; }));
  // A caret that blinks is something.
  EXPECT_TRUE(eventually([&] {
    const auto before = port.work(panel.pid());
    const ElementTree tree = look(port, panel.pid(), true);
    const auto after = port.work(panel.pid());
    return tree.complete && after.readings == before.readings && after.questions == before.questions + 1;
  }));
}

INSTANTIATE_TEST_SUITE_P(Apps, Mirrors, ::testing::Values("panel_gtk3", "panel_gtk4", "panel_qt5"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace handrail::atspi

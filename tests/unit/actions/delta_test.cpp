#include "actions/plan/delta.h"

#include <gtest/gtest.h>

namespace handrail::actions::plan {
namespace {

SeenElement seen(int number, const std::string& object, const std::string& name,
                 const std::string& role = "push button") {
  SeenElement made;
  made.number = number;
  made.element.id = made.key.id = {":1.5", object};
  made.element.role = made.key.role = role;
  made.element.name = made.key.name = name;
  return made;
}

std::vector<int> numbers(const std::vector<SeenElement>& elements) {
  std::vector<int> found;
  for (const SeenElement& each : elements) found.push_back(each.number);
  return found;
}

using Numbers = std::vector<int>;

TEST(Delta, OfTheSameIsEmptyAndNumbersStay) {
  const std::vector<SeenElement> before{seen(1, "/a", "A"), seen(2, "/b", "B")};
  std::vector<SeenElement> now{seen(1, "/b", "B"), seen(2, "/a", "A")};
  now[0].element.bounds = {5, 5, 10, 10};  // another place is not another element; see find_moved()
  const Delta delta = compare(before, now);
  EXPECT_EQ(numbers(now), (Numbers{2, 1}));
  EXPECT_EQ(delta.same.size(), 2U);
  EXPECT_TRUE(delta.came.empty() && delta.changed.empty() && delta.gone.empty());
}

Look window_at(double x, double y) {
  Look look;
  look.area = {x, y, 400, 300};
  look.image = {400, 300};
  return look;
}

TEST(Delta, TellsWhatMovedInThePicture) {
  std::vector<SeenElement> before{seen(1, "/a", "A"), seen(2, "/b", "B"), seen(3, "/c", "C")};
  before[0].element.bounds = {110, 120, 40, 20};
  before[1].element.bounds = {110, 160, 40, 20};
  before[2].element.bounds = {110, 200, 40, 20};
  std::vector<SeenElement> now = before;
  std::swap(now[0].element.bounds, now[1].element.bounds);
  Delta delta = compare(before, now);
  find_moved(delta, window_at(100, 100), window_at(100, 100));
  EXPECT_EQ(numbers(delta.moved), (Numbers{1, 2}));
  EXPECT_EQ(delta.same.size(), 1U);

  now = before;
  for (SeenElement& each : now) each.element.bounds.x += 50;
  delta = compare(before, now);
  find_moved(delta, window_at(100, 100), window_at(150, 100));
  EXPECT_EQ(delta.same.size(), 3U) << "the window moved with all that is in it";
  EXPECT_TRUE(delta.moved.empty());
}

TEST(Delta, TellsWhatCameChangedAndWent) {
  const std::vector<SeenElement> before{seen(1, "/a", "A"), seen(2, "/b", "B"), seen(3, "/c", "C")};
  std::vector<SeenElement> now{seen(1, "/new", "New"), seen(2, "/a", "A"), seen(3, "/c", "C")};
  now[2].element.value = "7";
  const Delta delta = compare(before, now);
  EXPECT_EQ(numbers(now), (Numbers{4, 1, 3})) << "a number that is gone is not given to another";
  EXPECT_EQ(numbers(delta.came), Numbers{4});
  EXPECT_EQ(numbers(delta.changed), Numbers{3});
  EXPECT_EQ(numbers(delta.gone), Numbers{2});
  EXPECT_EQ(delta.gone[0].element.name, "B");
  EXPECT_EQ(delta.same.size(), 1U);
}

TEST(Delta, EachStateAndWordCounts) {
  const std::vector<SeenElement> before{seen(1, "/a", "A")};
  const auto changed = [&](auto change) {
    std::vector<SeenElement> now = before;
    change(now[0].element);
    return compare(before, now).changed.size();
  };
  EXPECT_EQ(changed([](Element& each) { each.name = "Another"; }), 1U);
  EXPECT_EQ(changed([](Element& each) { each.description = "Words"; }), 1U);
  EXPECT_EQ(changed([](Element& each) { each.states.set(ElementState::checked); }), 1U);
  EXPECT_EQ(changed([](Element& each) { each.window = 9; }), 0U);
}

TEST(Delta, AnObjectThatIsAnotherThingNowIsAnotherElement) {
  const std::vector<SeenElement> before{seen(1, "/a", "A")};
  std::vector<SeenElement> now{seen(1, "/a", "A", "check box")};
  const Delta delta = compare(before, now);
  EXPECT_EQ(numbers(delta.came), Numbers{2});
  EXPECT_EQ(numbers(delta.gone), Numbers{1});
}

TEST(Delta, FromNothingAllIsNew) {
  std::vector<SeenElement> now{seen(1, "/a", "A"), seen(2, "/b", "B")};
  EXPECT_EQ(compare({}, now).came.size(), 2U);
  EXPECT_EQ(numbers(now), (Numbers{1, 2}));
  std::vector<SeenElement> none;
  EXPECT_EQ(compare(now, none).gone.size(), 2U);
}

}  // namespace
}  // namespace handrail::actions::plan

#include "actions/plan/index.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace handrail::actions::plan {
namespace {

Look plain_look() {
  Look look;
  look.area = {0, 0, 400, 300};
  look.image = {400, 300};
  return look;
}

SeenElement seen(const std::string& name, const std::string& value, const std::string& role = "text") {
  SeenElement made;
  made.number = 7;
  made.element.role = role;
  made.element.name = name;
  made.element.value = value;
  made.element.bounds = {1, 2, 30, 40};
  made.element.states.set(ElementState::enabled);
  return made;
}

TEST(Index, IsOneLineForEachElementWhateverItSays) {
  const std::vector<SeenElement> all{seen("View\n#9 link 'x'", "x'\n#1 push button 'Totally safe' @ (1, 1, 10, 10)"),
                                     seen("two", "1", "a role\nof two")};
  const std::string text = index_of(rows_of(all, plain_look()), 0, "app\nwith two lines");
  EXPECT_EQ(text,
            "#7 text 'View\\n#9 link \\'x\\'' @ (1, 2, 30, 40) = 'x\\'\\n#1 push button \\'Totally safe\\' @ (1, 1, "
            "10, 10)' [app\\nwith two lines]\n"
            "#7 a role\\nof two 'two' @ (1, 2, 30, 40) = '1' [app\\nwith two lines]\n");
}

TEST(Index, TellsValuesWithinBounds) {
  const std::vector<SeenElement> all(40, seen("Notes", std::string(1500, 'v')));
  const std::vector<ElementRow> rows = rows_of(all, plain_look());
  EXPECT_EQ(rows[0].value->size(), 1000 + std::string_view("…").size());
  EXPECT_EQ(rows[0].value_cut, true);
  EXPECT_EQ(rows.back().value->size(), 60 + std::string_view("…").size()) << "all of them together have bounds too";
  EXPECT_LT(index_of(rows, 0, "app").size(), 40U * 140U);
}

TEST(Index, NeverTellsASecret) {
  std::vector<SeenElement> all{seen("Password", "hunter2", "password text")};
  all[0].element.states.set(ElementState::secret);
  EXPECT_FALSE(rows_of(all, plain_look())[0].value);
}

TEST(Index, SaysManyForWhatNobodyCounted) {
  EXPECT_EQ(index_of({}, 2147483647, "calc"), "+many more\n");
  EXPECT_EQ(index_of({}, 12, "calc"), "+12 more\n");
}

}  // namespace
}  // namespace handrail::actions::plan

#include "base/error.h"

#include <gtest/gtest.h>

#include <set>

#include "base/nearest.h"

namespace handrail {
namespace {

TEST(ErrorTable, has_a_name_a_hint_and_codes_in_every_row) {
  std::set<std::string_view> names;
  for (const ErrorRow& error : error_table()) {
    EXPECT_TRUE(names.insert(error.name).second) << error.name;
    EXPECT_FALSE(error.hint.empty()) << error.name;
    EXPECT_TRUE(error.hint.ends_with('.')) << error.name;
    EXPECT_GT(error.cli_exit, 0) << error.name;
    EXPECT_GE(error.http_status, 400) << error.name;
    EXPECT_EQ(&row(error.code), &error);
  }
}

TEST(Error, takes_the_next_step_from_its_row_unless_it_has_a_better_one) {
  EXPECT_EQ(make_error(Code::target_stale, "x").next_step(), row(Code::target_stale).hint);
  EXPECT_EQ(make_error(Code::target_stale, "x").with_hint("Do that.").next_step(), "Do that.");
}

TEST(Nearest, finds_what_was_meant_and_nothing_else) {
  const std::string_view names[] = {"coordinate", "text", "duration"};
  EXPECT_EQ(nearest("cordinate", names), "coordinate");
  EXPECT_EQ(nearest("coords", names), "coordinate");
  EXPECT_EQ(nearest("tex", names), "text");
  EXPECT_EQ(nearest("Text", names), "text");
  EXPECT_EQ(nearest("zzzzzz", names), "");
  EXPECT_EQ(nearest(std::string(5000, 'a'), names), "");
}

TEST(Shortened, cuts_between_characters) {
  EXPECT_EQ(shortened("añb", 10), "añb");
  EXPECT_EQ(shortened("aññ", 2), "a…");
}

}  // namespace
}  // namespace handrail

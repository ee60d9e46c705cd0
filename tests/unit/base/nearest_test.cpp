#include "base/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

using Names = std::vector<std::string_view>;
constexpr std::array<std::string_view, 6> kTools{"left_click",  "double_click", "triple_click",
                                                 "right_click", "wait",         "left_click_drag"};

TEST(Nearest, finds_names_by_one_of_their_words) {
  EXPECT_EQ(nearest_some("clik", kTools), (Names{"left_click", "double_click", "triple_click"}));
  EXPECT_EQ(nearest_some("lefft_click", kTools), Names{"left_click"});
  EXPECT_EQ(nearest_some("wiat", kTools), Names{"wait"});
  EXPECT_EQ(nearest_some("", kTools), Names{});
  EXPECT_EQ(nearest_some("photograph", kTools), Names{});
  EXPECT_EQ(nearest_some(std::string(1000, 'c'), kTools), Names{});
}

TEST(Nearest, asks_in_one_sentence) {
  EXPECT_EQ(did_you_mean(nearest_some("wiat", kTools)), "Did you mean `wait`?");
  EXPECT_EQ(did_you_mean(nearest_some("clik", kTools)), "Did you mean `left_click`, `double_click` or `triple_click`?");
  EXPECT_EQ(did_you_mean(Names{}), "");
}

}  // namespace
}  // namespace handrail

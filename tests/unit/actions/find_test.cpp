#include <gtest/gtest.h>

#include "actions/plan/find.h"

namespace handrail::actions::plan {
namespace {

SeenElement element(std::string role, std::string name) {
  SeenElement seen;
  seen.element.role = std::move(role);
  seen.element.name = std::move(name);
  seen.element.states.set(ElementState::showing);
  return seen;
}

std::vector<std::string> names(const std::vector<SeenElement>& elements) {
  std::vector<std::string> out;
  for (const SeenElement& each : elements) out.push_back(each.element.role + " " + each.element.name);
  return out;
}

using Names = std::vector<std::string>;

TEST(Find, ranks_exact_names_before_parts_and_what_can_be_pressed_before_labels) {
  const std::vector<SeenElement> all{element("panel", "Save"), element("label", "Save"),
                                     element("push button", "Save as"), element("push button", "Save"),
                                     element("push button", "Do not save it")};
  EXPECT_EQ(names(ranked(all, "save", "")), (Names{"push button Save", "label Save", "push button Save as",
                                                   "push button Do not save it", "panel Save"}));
}

TEST(Find, leaves_out_what_does_not_fit) {
  const std::vector<SeenElement> all{element("push button", "Save"), element("label", "Open")};
  EXPECT_EQ(names(ranked(all, "open", "")), (Names{"label Open"}));
  EXPECT_EQ(names(ranked(all, "", "button")), (Names{"push button Save"}));
  EXPECT_TRUE(ranked(all, "close", "").empty());
  EXPECT_EQ(ranked(all, "", "").size(), 2U);
}

TEST(Find, takes_three_dots_for_an_ellipsis) {
  const std::vector<SeenElement> all{element("menu item", "Save As…"), element("menu item", "Open...")};
  EXPECT_EQ(names(ranked(all, "Save As...", "")), (Names{"menu item Save As…"}));
  EXPECT_EQ(names(ranked(all, "open…", "")), (Names{"menu item Open..."}));
}

}  // namespace
}  // namespace handrail::actions::plan

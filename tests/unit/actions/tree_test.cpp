#include "actions/plan/tree.h"

#include <gtest/gtest.h>

#include "actions/plan/keyboard.h"

namespace handrail::actions::plan {
namespace {

SeenElement element(int depth, const char* role, const char* name, Rect bounds) {
  SeenElement seen;
  seen.element.depth = depth;
  seen.element.role = role;
  seen.element.name = name;
  seen.element.bounds = bounds;
  seen.element.states.set(ElementState::enabled);
  return seen;
}

TEST(Tree, numbers_and_indents_below_what_is_listed) {
  std::vector<SeenElement> all{element(0, "frame", "Note", {10, 20, 300, 200}),
                               element(3, "push button", "Save", {20, 30, 40, 20}),
                               element(3, "text", "", {20, 60, 100, 20}), element(1, "label", "Done\n#9 x", {})};
  all[2].element.value = "Grüße";
  all[2].element.states.set(ElementState::focused);
  EXPECT_EQ(tree_text(all),
            "#1 frame 'Note' @ (10, 20, 300, 200)\n"
            "  #2 push button 'Save' @ (20, 30, 40, 20)\n"
            "  #3 text @ (20, 60, 100, 20) = 'Grüße' focused\n"
            "  #4 label 'Done\\n#9 x'\n");
  EXPECT_EQ(all[3].number, 4);
}

TEST(Tree, tells_no_secret) {
  std::vector<SeenElement> all{element(0, "password text", "Password", {0, 0, 10, 10})};
  all[0].element.value = "hunter2";
  all[0].element.states.set(ElementState::secret);
  EXPECT_EQ(tree_text(all), "#1 password text 'Password' @ (0, 0, 10, 10) secret\n");
}

TEST(Tree, finds_the_smallest_at_a_point) {
  const std::vector<SeenElement> all{element(0, "frame", "a", {0, 0, 100, 100}),
                                     element(1, "push button", "b", {10, 10, 20, 20}),
                                     element(2, "label", "c", {10, 10, 20, 20}), element(1, "label", "d", {})};
  EXPECT_EQ(smallest_at(all, {15, 15})->element.name, "c");
  EXPECT_EQ(smallest_at(all, {50, 50})->element.name, "a");
  EXPECT_EQ(smallest_at(all, {500, 50}), nullptr);
}

TEST(Keys, stay_down_and_come_up_in_reverse) {
  const Chord chord = parse_chord("ctrl+shift").value();
  EXPECT_EQ(keys_down(chord), (InputPlan{{KeyDown{chord.keys[0]}, KeyDown{chord.keys[1]}}}));
  EXPECT_EQ(keys_up(chord), (InputPlan{{KeyUp{chord.keys[1]}, KeyUp{chord.keys[0]}}}));
}

}  // namespace
}  // namespace handrail::actions::plan

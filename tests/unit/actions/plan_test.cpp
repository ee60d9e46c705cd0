#include <gtest/gtest.h>

#include "actions/all.h"
#include "actions/plan/keyboard.h"
#include "actions/plan/pointer.h"

namespace handrail::actions {
namespace {

const Key kCtrl = key_of(Modifier::ctrl);
const Key kShift = key_of(Modifier::shift);

TEST(Plan, clicks_with_modifiers_held_around_all_clicks) {
  const InputPlan expected{{MoveTo{{10, 20}}, KeyDown{kCtrl}, KeyDown{kShift}, ButtonDown{Button::right},
                            ButtonUp{Button::right}, ButtonDown{Button::right}, ButtonUp{Button::right}, KeyUp{kShift},
                            KeyUp{kCtrl}}};
  EXPECT_EQ(plan::click({10, 20}, Button::right, 2, {Modifier::ctrl, Modifier::shift}), expected);
}

TEST(Plan, presses_chords_down_in_order_and_up_in_reverse) {
  const Chord chord{{kCtrl, Key{'s'}}};
  const InputPlan expected{{KeyDown{kCtrl}, KeyDown{Key{'s'}}, KeyUp{Key{'s'}}, KeyUp{kCtrl}}};
  EXPECT_EQ(plan::press_chord(chord, 1), expected);
  EXPECT_EQ(plan::press_chord(chord, 3).steps.size(), 12u);
}

TEST(Plan, holds_for_the_time_asked) {
  const InputPlan expected{{KeyDown{Key{'w'}}, Pause{Millis(1500)}, KeyUp{Key{'w'}}}};
  EXPECT_EQ(plan::hold_chord({{Key{'w'}}}, Millis(1500)), expected);
}

TEST(Plan, paces_a_drag_and_ends_exactly_at_its_points) {
  const InputPlan drag = plan::drag({{0, 0}, {100, 0}, {100, 50}}, Button::left, {});
  ASSERT_GT(drag.steps.size(), 8u);
  EXPECT_EQ(std::get<MoveTo>(drag.steps[0]).at, (Point{0, 0}));
  EXPECT_TRUE(std::holds_alternative<ButtonDown>(drag.steps[1]));
  EXPECT_TRUE(std::holds_alternative<ButtonUp>(drag.steps.back()));
  EXPECT_EQ(std::get<MoveTo>(drag.steps[drag.steps.size() - 3]).at, (Point{100, 50}));
  bool passed_corner = false;
  std::size_t pauses = 0, moves = 0;
  for (const Step& step : drag.steps) {
    pauses += std::holds_alternative<Pause>(step);
    if (const auto* move = std::get_if<MoveTo>(&step)) {
      ++moves;
      passed_corner |= move->at == Point{100, 0};
    }
  }
  EXPECT_TRUE(passed_corner);
  EXPECT_EQ(pauses, moves) << "one frame after the press and after each later move";
}

TEST(Plan, summaries_keep_typed_text_to_themselves) {
  const std::string told = summary(plan::type("secret words"));
  EXPECT_EQ(told.find("secret"), std::string::npos);
  EXPECT_NE(told.find("12"), std::string::npos);
}

TEST(Catalog, has_valid_examples_and_unique_names) {
  std::set<std::string_view> names;
  for (const catalog::ActionSpec* spec : all_actions().all()) {
    EXPECT_TRUE(names.insert(spec->name).second) << spec->name;
    EXPECT_FALSE(spec->summary.empty()) << spec->name;
    EXPECT_FALSE(spec->examples.empty()) << spec->name;
    for (const catalog::Example& example : spec->examples) {
      const auto params = parse_json(example.params);
      ASSERT_TRUE(params.ok()) << spec->name;
      const auto call = all_actions().call(spec->name, *params);
      EXPECT_TRUE(call.ok()) << spec->name << ": " << (call.ok() ? "" : to_text(call.error()));
    }
  }
  EXPECT_EQ(all_actions().find("clik").error().hint, "Did you mean `click`, `click_element` or `click_named`?");
}

}  // namespace
}  // namespace handrail::actions

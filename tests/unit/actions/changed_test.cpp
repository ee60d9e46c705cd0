#include <gtest/gtest.h>

#include "actions/windows.h"

namespace handrail::actions {
namespace {

Window at(const Rect& bounds, WindowState state = WindowState::normal) {
  Window window;
  window.id = 7;
  window.bounds = bounds;
  window.state = state;
  return window;
}

struct Row {
  WindowVerb verb;
  Rect asked;
  Rect before;
  Rect now;
  Effect effect;
};

TEST(ChangedWindow, claims_the_frame_that_was_reached) {
  const Rect old{10, 10, 300, 200};
  for (const Row& row : {
           Row{WindowVerb::place, {50, 60, 400, 300}, old, {50, 60, 400, 300}, Effect::confirmed},
           Row{WindowVerb::place, {50, 60, 400, 300}, old, {50, 61, 399, 300}, Effect::confirmed},
           Row{WindowVerb::place, {50, 60, 400, 300}, old, {50, 60, 380, 300}, Effect::partial},
           Row{WindowVerb::place, {50, 60, 400, 300}, old, old, Effect::suspected_noop},
           Row{WindowVerb::move, {50, 60, 0, 0}, old, {50, 60, 300, 200}, Effect::confirmed},
           Row{WindowVerb::move, {-50, 60, 0, 0}, old, {0, 60, 300, 200}, Effect::partial},
           Row{WindowVerb::resize, {0, 0, 407, 309}, old, {10, 10, 400, 300}, Effect::partial},
           Row{WindowVerb::resize, {0, 0, 300, 200}, old, old, Effect::confirmed},
       }) {
    const Outcome outcome = changed({7, row.verb, row.asked}, at(row.before), at(row.now), false);
    EXPECT_EQ(outcome.effect, row.effect) << outcome.text;
    EXPECT_EQ(outcome.evidence.empty(), row.effect == Effect::suspected_noop);
    EXPECT_EQ(outcome.data["window"]["area"][2], row.now.width);
  }
}

TEST(ChangedWindow, tells_what_else_became_of_it) {
  const Window normal = at({0, 0, 10, 10});
  Window focused = normal;
  focused.focused = true;
  EXPECT_EQ(changed({7, WindowVerb::raise}, normal, normal, false).effect, Effect::confirmed);
  EXPECT_EQ(changed({7, WindowVerb::raise}, normal, normal, true).effect, Effect::unverified);
  EXPECT_EQ(changed({7, WindowVerb::raise}, normal, focused, false).effect, Effect::partial);
  EXPECT_EQ(changed({7, WindowVerb::maximise}, normal, normal, false).effect, Effect::suspected_noop);
  EXPECT_EQ(changed({7, WindowVerb::maximise}, normal, at({0, 0, 10, 10}, WindowState::maximised), false).effect,
            Effect::confirmed);
}

}  // namespace
}  // namespace handrail::actions

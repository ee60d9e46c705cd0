#include "actions/plan/uncovered.h"

#include <gtest/gtest.h>

namespace handrail::actions::plan {
namespace {

Window window(WindowId id, std::int64_t pid, Rect bounds) {
  Window made;
  made.id = id;
  made.pid = pid;
  made.bounds = bounds;
  made.visible = true;
  return made;
}

Element button(WindowId in, Rect bounds) {
  Element made;
  made.role = "push button";
  made.window = in;
  made.bounds = bounds;
  return made;
}

TEST(Uncovered, ClipsByTheWindowsAbove) {
  const std::vector<Window> stack{window(1, 10, {0, 0, 400, 400}), window(2, 20, {100, 0, 400, 400}),
                                  window(3, 10, {300, 300, 50, 50})};
  EXPECT_EQ(uncovered(button(1, {10, 10, 50, 20}), 10, stack), (Rect{10, 10, 50, 20}));
  EXPECT_EQ(uncovered(button(1, {150, 10, 50, 20}), 10, stack), Rect{}) << "all of it is covered";
  EXPECT_EQ(uncovered(button(1, {60, 10, 80, 20}), 10, stack), (Rect{60, 10, 40, 20}));
  EXPECT_EQ(uncovered(button(2, {150, 10, 50, 20}), 20, stack), (Rect{150, 10, 50, 20})) << "those below do not count";
  EXPECT_EQ(uncovered(button(2, {300, 290, 50, 40}), 20, stack), (Rect{300, 290, 50, 10}));
  EXPECT_EQ(uncovered(button(0, {150, 10, 50, 20}), 10, stack), Rect{}) << "by its process when the window is unknown";
  EXPECT_EQ(uncovered(button(9, {150, 10, 50, 20}), 10, stack), (Rect{150, 10, 50, 20})) << "a menu of its own";
}

}  // namespace
}  // namespace handrail::actions::plan

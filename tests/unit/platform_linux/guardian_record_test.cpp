#include "platform/linux/guardian_record.h"

#include <gtest/gtest.h>

#include "platform/linux/guardian_watch.h"

namespace handrail::linux_ {
namespace {

TEST(GuardianRecord, KeepsTheNewestAndForgetsWhatWasRestored) {
  auto record = GuardianRecord::make();
  ASSERT_TRUE(record.ok());
  EXPECT_FALSE(record->read(Kept::keymap).value().has_value());
  ASSERT_TRUE(record->write(Kept::keymap, "one").ok());
  const auto one = *record->read(Kept::keymap).value();
  EXPECT_EQ(one.bytes, "one");
  ASSERT_TRUE(record->write(Kept::keymap, "two").ok());
  record->forget(Kept::keymap, one.mark);
  EXPECT_EQ((*record->read(Kept::keymap).value()).bytes, "two") << "a late restore of the first must not take it";
  record->forget(Kept::keymap, (*record->read(Kept::keymap).value()).mark);
  EXPECT_FALSE(record->has(Kept::keymap));
  ASSERT_TRUE(record->write(Kept::keymap, "three").ok());
  EXPECT_NE((*record->read(Kept::keymap).value()).mark, one.mark);
  EXPECT_EQ(record->write(Kept::clipboard, std::string(kMaxKeptBytes + 1, 'x')).error().code, Code::too_large);
}

TEST(GuardianRecord, WhatIsServedOutlivesWhatIsKept) {
  auto record = GuardianRecord::make();
  ASSERT_TRUE(record.ok());
  const std::string large(3 * 1024 * 1024, 'a');
  ASSERT_TRUE(record->write(Kept::clipboard, large).ok());
  record->serve((*record->read(Kept::clipboard).value()).mark);
  EXPECT_FALSE(record->has(Kept::clipboard));
  for (const char* next : {"b", "c", "d"}) ASSERT_TRUE(record->write(Kept::clipboard, next).ok());
  EXPECT_TRUE((*record->read_served().value()).bytes == large);
  EXPECT_EQ((*record->read(Kept::clipboard).value()).bytes, "d");
  record->serve(0);
  EXPECT_FALSE(record->read_served().value().has_value());
}

TEST(GuardianRecord, HeldIsToldWhole) {
  auto record = GuardianRecord::make();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->held(), HeldNow{});
  const HeldNow held{{50, 38, 255}, {1, 9}};
  record->write_held(held);
  EXPECT_EQ(record->held(), held);
  record->write_held({});
  EXPECT_EQ(record->held(), HeldNow{});
}

TEST(GrabWatch, EndsOnlyWhatIsStuckInsideAGrab) {
  const TimePoint start = Clock::now();
  const auto at = [&](int ms) { return start + Millis(ms); };
  GrabWatch idle;
  EXPECT_FALSE(idle.stuck(0, true, at(0)));
  EXPECT_FALSE(idle.stuck(0, true, at(10000)));
  GrabWatch stopped;
  EXPECT_FALSE(stopped.stuck(3, true, at(0)));
  EXPECT_FALSE(stopped.stuck(3, true, at(199)));
  EXPECT_TRUE(stopped.stuck(3, true, at(200)));
  GrabWatch resumed;
  EXPECT_FALSE(resumed.stuck(3, true, at(0)));
  EXPECT_FALSE(resumed.stuck(3, false, at(150)));
  EXPECT_FALSE(resumed.stuck(3, true, at(300)));
  EXPECT_TRUE(resumed.stuck(3, true, at(500)));
  GrabWatch busy;  // many short grabs are no long one
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_FALSE(busy.stuck(3 + 2 * i, false, at(static_cast<int>(i) * 100)));
  GrabWatch slow;
  EXPECT_FALSE(slow.stuck(3, false, at(0)));
  EXPECT_FALSE(slow.stuck(3, false, at(4999)));
  EXPECT_TRUE(slow.stuck(3, false, at(5000)));
}

}  // namespace
}  // namespace handrail::linux_

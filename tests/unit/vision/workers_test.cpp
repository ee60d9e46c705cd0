#include "vision/workers.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace handrail::vision {
namespace {

TEST(Workers, EveryPartIsDoneOnce) {
  for (int parts = 0; parts < 50; ++parts) {
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(parts));
    share(parts, [&](int part, int lane) {
      EXPECT_TRUE(lane >= 0 && lane < kLanes);
      ++done[static_cast<std::size_t>(part)];
    });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(Workers, ALaneIsNeverUsedTwiceAtOnce) {
  for (int round = 0; round < 200; ++round) {
    std::array<std::atomic<bool>, kLanes> busy{};
    std::atomic<int> clashes = 0;
    share(16, [&](int, int lane) {
      auto& flag = busy[static_cast<std::size_t>(lane)];
      if (flag.exchange(true)) ++clashes;
      std::this_thread::yield();
      flag = false;
    });
    EXPECT_EQ(clashes, 0);
  }
}

TEST(Workers, ManyCallersAtOnceAllFinish) {
  std::atomic<int> total = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) share(5, [&](int, int) { ++total; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 6 * 300 * 5);
}

}  // namespace
}  // namespace handrail::vision

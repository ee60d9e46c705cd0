#include "engine/tenure.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "model/key.h"
#include "platform/sim/sim_computer.h"
#include "support/test_permit.h"

namespace handrail::engine {
namespace {

// Knows whether it is held, and how often it was let go.
class CountingLock : public DeskLock {
 public:
  std::atomic<bool> held = false;
  std::atomic<int> releases = 0;

  Status take(const std::string&, Deadline) override {
    held = true;
    return {};
  }
  Status check() override { return held ? Status() : Status(make_error(Code::busy, "It is not held.")); }
  void release() noexcept override {
    held = false;
    ++releases;
  }
};

// The idle end is due at every moment at which a call may begin: whichever comes first, a call that has begun keeps the
// desktop to its own end.
TEST(Tenure, never_ends_under_a_call) {
  constexpr int kTrials = 400;
  sim::SimComputer computer;
  CountingLock lock;
  Tenure tenure({computer, &lock, nullptr, Millis(1)}, "session-test");
  int lost = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    tenure.call_begins();
    if (!tenure.take(Deadline::in(kBackendPatience)).ok()) ++lost;
    // Longer than the idle time: an end that is under way meets the call.
    const TimePoint until = Clock::now() + std::chrono::microseconds(1200);
    bool kept = true;
    while (Clock::now() < until) kept = kept && tenure.check().ok();
    if (!kept) ++lost;
    tenure.call_ends();
    // The next call begins around the moment at which the idle time is over.
    const TimePoint next = Clock::now() + std::chrono::microseconds(900 + trial % 40 * 10);
    while (Clock::now() < next) std::this_thread::yield();
  }
  EXPECT_EQ(lost, 0);
  EXPECT_GT(lock.releases, 0) << "no turn was idle, so nothing was tried";
}

// Several threads that call at once, as free calls do beside the one whose turn it is.
TEST(Tenure, counts_calls_of_several_threads) {
  sim::SimComputer computer;
  CountingLock lock;
  std::atomic<int> lost = 0;
  {
    Tenure tenure({computer, &lock, nullptr, Millis(1)}, "session-test");
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        for (int trial = 0; trial < 100; ++trial) {
          tenure.call_begins();
          if (!tenure.take(Deadline::in(kBackendPatience)).ok() || !tenure.check().ok()) ++lost;
          tenure.call_ends();
          const TimePoint next = Clock::now() + std::chrono::microseconds(800 + (trial * 7 + i * 131) % 400);
          while (Clock::now() < next) std::this_thread::yield();
        }
      });
    }
  }
  EXPECT_EQ(lost, 0);
  EXPECT_FALSE(lock.held) << "the end of it lets go";
}

// A modifier that `key_down` left down would change what the person types.
TEST(Tenure, lets_go_of_keys_when_a_person_comes) {
  sim::SimComputer computer;
  CountingLock lock;
  Tenure tenure({computer, &lock, nullptr, Millis(0)}, "session-test");
  tenure.call_begins();
  ASSERT_TRUE(tenure.take(Deadline::in(kBackendPatience)).ok());
  const InputPlan down{{KeyDown{parse_chord("shift").value().keys.front()}}};
  ASSERT_TRUE(computer.input()->perform(down, PermitMint::mint(), Deadline::in(kBackendPatience), {}).ok());
  tenure.person_came();
  tenure.call_ends();
  EXPECT_FALSE(computer.input()->held_keys().empty()) << "a call had it, whoever came meanwhile";
  tenure.person_came();
  const Deadline end = Deadline::in(kBackendPatience);
  while (!computer.input()->held_keys().empty() && !end.passed()) std::this_thread::yield();
  EXPECT_TRUE(computer.input()->held_keys().empty());
  EXPECT_TRUE(lock.held) << "the turn goes on";
}

}  // namespace
}  // namespace handrail::engine

// How much one session may do: calls, keystrokes, seconds, calls a minute. Counts; the budget gate refuses.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "model/input_plan.h"

namespace handrail::engine {

// 0 is no limit.
struct BudgetLimits {
  int calls = 0;
  int keystrokes = 0;
  int seconds = 0;
  int calls_per_minute = 0;
};

class Budget {
 public:
  explicit Budget(BudgetLimits limits) : limits_(limits) {}

  // Counts a call that arrived at `now`.
  void count_call(TimePoint now);
  void count_keys(const Plan& plan);
  // What is used up, as people say it; empty when nothing is.
  std::string spent(TimePoint now) const;
  // What the keys of this plan would use up on top.
  std::string spent_with(const Plan& plan) const;

 private:
  const BudgetLimits limits_;
  mutable std::mutex mutex_;
  std::int64_t calls_ = 0;
  std::int64_t keystrokes_ = 0;
  TimePoint began_ = Clock::now();
  std::deque<TimePoint> last_minute_;
};

}  // namespace handrail::engine

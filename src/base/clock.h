// Time: one steady clock for deadlines and measurements, one wall clock for records.
#pragma once

#include <algorithm>
#include <chrono>

namespace handrail {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Millis = std::chrono::milliseconds;

inline double millis_since(TimePoint start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The moment by which a call must have returned. Every external call takes one.
class Deadline {
 public:
  explicit Deadline(TimePoint at) : at_(at) {}
  static Deadline in(Millis span) { return Deadline(Clock::now() + span); }

  TimePoint at() const { return at_; }
  bool passed() const { return Clock::now() >= at_; }
  // Rounded up, so that a poll() with it does not spin through the last millisecond.
  Millis left() const { return std::max(Millis(0), std::chrono::ceil<Millis>(at_ - Clock::now())); }
  // This deadline or one `span` from now, whichever is earlier.
  Deadline within(Millis span) const { return Deadline(std::min(at_, Clock::now() + span)); }

 private:
  TimePoint at_;
};

// What any one desktop request may cost, whatever the app or the server does: a call, which makes several and knows
// after the first whom it need not wait for, stays within two seconds.
inline constexpr Millis kBackendPatience{1500};

}  // namespace handrail

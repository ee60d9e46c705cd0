// Looks whether the server is stuck inside a server grab, which would freeze the whole desktop: stopped by a signal, or
// for longer than any grab of ours takes. Pure but for what it is told.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace handrail::linux_ {

inline constexpr Millis kStoppedInGrab{200};
// More than any one request may take: a display server that is slow itself is no reason to end anybody.
inline constexpr Millis kLongestGrab{5000};
static_assert(kLongestGrab > 2 * kBackendPatience);

class GrabWatch {
 public:
  // `grab` as in GuardianState. True when the server must be ended.
  bool stuck(std::uint32_t grab, bool stopped, TimePoint now) {
    if (!since_ || grab != seen_) {
      seen_ = grab;
      since_ = now;
      stopped_since_.reset();
    }
    if (grab % 2 == 0) return false;
    if (!stopped) {
      stopped_since_.reset();
    } else if (!stopped_since_) {
      stopped_since_ = now;
    }
    return now - *since_ >= kLongestGrab || (stopped_since_ && now - *stopped_since_ >= kStoppedInGrab);
  }
  // How long the same has been seen.
  Millis unchanged(TimePoint now) const {
    return since_ ? std::chrono::duration_cast<Millis>(now - *since_) : Millis(0);
  }

 private:
  std::uint32_t seen_ = 0;
  std::optional<TimePoint> since_;
  std::optional<TimePoint> stopped_since_;
};

}  // namespace handrail::linux_

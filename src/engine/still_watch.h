// Whether a window moves, from some moment on: its pixels, the windows of its app, and what the app says of its
// elements. What else moves on the screen does not count.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "actions/context.h"
#include "computer/computer.h"
#include "engine/window_picture.h"
#include "model/target.h"

namespace handrail::engine {

// How long nothing has to move, how long the first movement may take to come, and how long all of it is waited for.
struct Rest {
  Millis quiet;
  Millis first;
  Millis most;
};
// After an act. A reaction that takes longer to begin is somebody else's.
inline constexpr Rest kRestAfterAct{Millis{100}, Millis{300}, Millis{3000}};
// Before a look at something that may be moving.
inline constexpr Rest kMomentOfRest{Millis{30}, Millis{30}, Millis{500}};

class StillWatch {
 public:
  // Without a target, or of the whole screen: everything counts.
  StillWatch(Computer& computer, const std::optional<Target>& target);

  // Returns when it is still, or when it has been waited for long enough. Times count from the beginning of the watch.
  Result<actions::Settled> settle(const Rest& rest, const std::stop_token& stop);

 private:
  // Since it was last asked.
  bool moved();
  bool said_something();

  Computer* computer_;
  std::optional<Target> target_;
  TimePoint begun_;
  std::vector<WindowId> windows_;
  std::optional<PictureStamp> picture_;
  std::optional<std::uint64_t> elements_;
  std::uint64_t changes_ = 0;
};

}  // namespace handrail::engine

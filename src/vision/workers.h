// Two threads for one picture: the calling one and a helper that lives as long as the process and
// sleeps without wake-ups while there is nothing to do. It knows nothing of pictures.
#pragma once

#include <functional>

namespace handrail::vision {

// How many threads can work on one job; each has a lane number, for memory of its own.
inline constexpr int kLanes = 2;

// Calls work(part, lane) once for each part in [0, parts), in rising order of start. Returns when all
// are done. With one processor, or while the helper serves another caller, the calling thread does
// them all in lane 0; so nothing may depend on which lane does what.
void share(int parts, const std::function<void(int part, int lane)>& work);

}  // namespace handrail::vision

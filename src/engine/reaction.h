// What an app's windows look like before an act, so that afterwards somebody can say whether it reacted.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "computer/computer.h"
#include "model/outcome.h"
#include "model/target.h"

namespace handrail::engine {

class Reaction {
 public:
  // Reads the windows of the process and, when the target is one of them, its picture.
  Reaction(Computer& computer, std::int64_t pid, const std::optional<Target>& target);

  // Waits, by event and not for long, until a window came or went or the picture differs.
  std::vector<Evidence> evidence(std::stop_token stop) const;

 private:
  std::vector<WindowId> windows_now() const;
  // A number that stands for its pixels.
  std::optional<std::uint64_t> picture_now() const;

  Computer& computer_;
  std::int64_t pid_;
  std::optional<WindowId> window_;
  std::vector<WindowId> windows_;
  std::optional<std::uint64_t> picture_;
  std::uint64_t changes_ = 0;
};

}  // namespace handrail::engine

// What an app's windows and one of its elements are like before an act, so that afterwards somebody can say whether
// there was a reaction.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "computer/computer.h"
#include "engine/window_picture.h"
#include "model/element.h"
#include "model/outcome.h"
#include "model/target.h"

namespace handrail::engine {

// The windows of a process.
class Reaction {
 public:
  Reaction(Computer& computer, std::int64_t pid, const std::optional<Target>& target);

  // A window that came or went by now.
  std::vector<Evidence> evidence(const std::stop_token& stop) const;
  // The one that the target is, when it is of this process.
  std::optional<WindowId> window() const { return window_; }

 private:
  Computer& computer_;
  std::int64_t pid_;
  std::optional<WindowId> window_;
  std::vector<WindowId> windows_;
};

// An element as it reads, and the picture of its window.
class ElementReaction {
 public:
  ElementReaction(Computer& computer, const ElementKey& element, const std::optional<Target>& target);

  // Waits, by event and not for long, until a window came or went, or the element reads otherwise. Pixels say no more
  // than that something in the window has moved, and be it a clock; under a pointer everything does.
  std::vector<Evidence> await(const std::stop_token& stop) const;

 private:
  bool looks_otherwise() const;
  bool reads_otherwise() const;

  Computer& computer_;
  Reaction app_;
  ElementKey key_;
  std::optional<Element> element_;  // as it was
  std::optional<WindowId> window_;
  std::optional<PictureStamp> picture_;
  std::uint64_t changes_ = 0;
};

}  // namespace handrail::engine

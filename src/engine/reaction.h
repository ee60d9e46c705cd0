// What an app's windows and one of its elements are like before an act, so that afterwards somebody can say whether
// there was a reaction. What else moves in the window is told apart: it may have moved by itself.
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

// What was seen after an act on an element.
struct Reacted {
  std::vector<Evidence> evidence;  // of the element: its place in the picture, its state, or a window of its app
  bool elsewhere = false;          // something else in its window changed
};

// An element, in the picture of its window and as it reads.
class ElementReaction {
 public:
  ElementReaction(Computer& computer, const ElementKey& element, const std::optional<Target>& target);

  // It shows or says of itself what became of it: it is on or off, chosen, open, or holds a value.
  bool has_state() const;
  // A pointer above an element changes what it looks like; then only what it says of itself counts.
  enum class By { look, reading };
  // Waits, by event and not for long, until a window came or went, or the element looks or reads otherwise.
  Reacted await(const std::stop_token& stop, By by) const;

 private:
  Difference looks_otherwise() const;
  bool reads_otherwise() const;

  Computer& computer_;
  Reaction app_;
  ElementKey key_;
  std::optional<Element> element_;  // as it was
  std::optional<WindowId> window_;
  std::optional<Capture> picture_;
  std::uint64_t changes_ = 0;
};

}  // namespace handrail::engine

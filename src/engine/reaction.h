// What an app's windows and one of its elements are like before an act, so that afterwards somebody can say whether
// there was a reaction.
#pragma once

#include <future>
#include <optional>
#include <stop_token>
#include <utility>
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
  // Takes a picture of the window while the caller goes on asking the app. 0: the target's.
  ElementReaction(Computer& computer, ElementKey element, WindowId window, const std::optional<Target>& target);

  // As it is now, by who has read it.
  void reads(Element now) { element_ = std::move(now); }
  // It is about this element, and no older than what an act finds anyway.
  bool is_of(const ElementKey& element) const;
  // The act must not begin before.
  void ready() const { before_.wait(); }
  // A window that came or went by now.
  std::vector<Evidence> windows(const std::stop_token& stop) const { return before_.get().app.evidence(stop); }
  // Waits, by event and not for long, until a window came or went, or the element reads otherwise. Pixels say no more
  // than that something in the window has moved, and be it a clock; under a pointer everything does.
  std::vector<Evidence> await(const std::stop_token& stop) const;

 private:
  struct Before {
    Reaction app;
    std::optional<WindowId> window;
    std::uint64_t changes = 0;
    std::optional<PictureStamp> picture;
  };

  Before look(WindowId window, const std::optional<Target>& target) const;
  bool looks_otherwise() const;
  bool reads_otherwise() const;

  Computer& computer_;
  ElementKey key_;
  TimePoint begun_;
  std::optional<Element> element_;  // as it was
  std::shared_future<Before> before_;
};

}  // namespace handrail::engine

// The port to what apps say about themselves. The contract of ports.h holds; besides:
// - An app that does not answer costs its own deadline and delays nobody: its tree is missing or cut, and says so.
// - Nothing here moves the pointer, the focus or the stacking, unless the verb is `focus`.
// - Never trust an app that says "done": what became of it is read back.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/element.h"
#include "model/input_plan.h"
#include "model/permit.h"

namespace handrail {

struct TreeRequest {
  std::vector<std::int64_t> pids;
  std::optional<WindowId> window;  // only what this window shows
  bool showing = true;             // leave out what is not on the screen: other tabs, closed menus, scrolled away
  bool values = false;             // texts and numbers too
  std::size_t most = 5000;         // elements of one app
};

// What an act on an element came to.
struct ElementReport {
  std::string how;                    // "action press", "editable text", "value", "selection", "menu"
  bool answered = false;              // the app replied to the request itself
  bool reacted = false;               // it said that something changed, after the act
  std::optional<std::string> before;  // value or state, where there is one
  std::optional<std::string> after;
  bool as_wanted = false;  // `after` is what was asked for
  bool otherwise = false;  // `after` is known to be something else
};

struct FoundElement {
  ElementKey key;
  Element element;
};

class Accessibility {
 public:
  virtual ~Accessibility() = default;

  // Whether there is anybody to ask, at all. Costs nothing once there is.
  virtual bool reachable(Deadline deadline) = 0;

  // One tree for each process that has one, in the order asked for. Empty: none of them shows any.
  virtual Result<std::vector<ElementTree>> trees(const TreeRequest& request, Deadline deadline) = 0;
  // As it is now, with its value; `target_stale` when it is gone or not the same one.
  virtual Result<Element> read(const ElementKey& key, Deadline deadline) = 0;
  // The focused element of a process; nothing when it has none.
  virtual Result<std::optional<FoundElement>> focused(std::int64_t pid, Deadline deadline) = 0;
  // Reads the element again first: `target_stale` when it is not the same one, and nothing is done.
  // `capability_unsupported` when the element offers no way to do it, with what it does offer.
  virtual Result<ElementReport> act(const ActOnElement& act, Permit permit, Deadline deadline,
                                    std::stop_token stop) = 0;

  // Counts up with everything that these processes say about their elements.
  virtual Result<std::uint64_t> change_count(const std::vector<std::int64_t>& pids, Deadline deadline) = 0;
  // Returns when it passes `seen`, with the new count; `timeout` when it did not.
  virtual Result<std::uint64_t> wait_for_change(const std::vector<std::int64_t>& pids, std::uint64_t seen,
                                                Deadline deadline, std::stop_token stop) = 0;
};

}  // namespace handrail

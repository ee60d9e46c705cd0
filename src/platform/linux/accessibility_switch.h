// Accessibility of a person's session, switched on for good and put back. Setting it is kept by the session itself, so
// what it was before is kept here until it is put back. Whether a screen reader speaks is nobody's business here.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace handrail::linux_ {

struct AccessibilityOn {
  bool was_on = false;      // before this call
  bool to_restore = false;  // it was switched on by us, now or earlier, and not put back since
  std::string bus;          // address of the accessibility bus, which answers
};

// `record` is the file that remembers what it was.
Result<AccessibilityOn> switch_accessibility_on(const std::string& session_bus, const std::string& record,
                                                Deadline deadline);
// What it is again; nothing when there was nothing to put back.
Result<std::optional<bool>> restore_accessibility(const std::string& session_bus, const std::string& record,
                                                  Deadline deadline);

}  // namespace handrail::linux_

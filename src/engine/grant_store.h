// What outlives the program: grants that last until they are revoked, flags, the selected display and the geometry of
// the last look. Written whole or not at all; what is damaged, old or unreadable gives less, never more.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/audit_log.h"
#include "model/grant.h"
#include "model/look.h"

namespace handrail::engine {

struct KeptState {
  Access access;  // grants with Persist::always only
  int selected_display = 0;
  std::optional<Look> look;  // geometry only
};

class GrantStore {
 public:
  struct Settings {
    std::string folder;    // mode 0700; made when it is not there
    std::string key_file;  // as the audit log's: the state is authenticated with it
    // The newest state that was written, as the audit log knows it; a state that is older is refused.
    std::function<Result<std::uint64_t>()> newest_known;
    // Told after each change, before anybody else can make one. Its error becomes that of the change.
    std::function<Status(std::uint64_t counter)> changed;
  };
  // Bound to the audit log, which must outlive the store.
  static Settings settings_with(std::string folder, std::string key_file, AuditLog& audit);
  static Result<std::unique_ptr<GrantStore>> open(Settings settings);
  virtual ~GrantStore() = default;

  // Nothing there is an empty state. A damaged one is an empty state too, and `told` says what was wrong.
  virtual KeptState load(std::string* told) = 0;
  // Changes the state under a lock, atomically: other sessions' changes are kept. The new counter. A state that load()
  // would refuse is empty when `edit` sees it.
  virtual Result<std::uint64_t> change(const std::function<void(KeptState&)>& edit) = 0;
};

}  // namespace handrail::engine

// Records of the audit log as they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace handrail::app {

using TakeRecord = std::function<void(std::string_view line, const Result<Json>& record)>;

struct EarlierRecords {
  TakeRecord each;             // in their order; may be absent
  std::function<void()> over;  // the next record is a new one
};

// The text of a field; empty when there is none, as in a log that somebody damaged.
std::string audit_field(const Json& record, const char* name);
// Whether an outcome is a no of a gate.
bool is_refusal(const Json& record);

// An outcome tells only the number of its call; this knows what that was. For records in the order of the log.
class AuditCalls {
 public:
  // An outcome with the action and session of its call; any other record as it is.
  Json completed(const Json& record);

 private:
  // More calls than are ever under way; of older ones the end is not known.
  static constexpr std::size_t kMost = 1000;
  std::map<std::int64_t, Json> begun_;
};

// Until `take` says false or `ending_fd` becomes readable; waits by event.
Status follow_audit(const std::string& folder, const EarlierRecords& earlier,
                    const std::function<bool(std::string_view line, const Result<Json>& record)>& take, int ending_fd);

}  // namespace handrail::app

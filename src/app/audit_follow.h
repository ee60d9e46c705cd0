// Records of the audit log as they are written.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace handrail::app {

struct EarlierRecords {
  std::size_t last = 0;  // so many first
  std::function<bool(const Result<Json>& record)> counts;
};

// Until `take` says false or `ending_fd` becomes readable; waits by event.
Status follow_audit(const std::string& folder, const EarlierRecords& earlier,
                    const std::function<bool(std::string_view line, const Result<Json>& record)>& take, int ending_fd);

}  // namespace handrail::app

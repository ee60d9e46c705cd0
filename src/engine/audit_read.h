// Reads the files of an audit log in order. It takes them as they are; whether they are whole is asked of audit_verify.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace handrail::engine {

// "audit-YYYY-MM-DD.jsonl".
bool is_audit_file(std::string_view name);
// Their names, oldest first; empty when the folder is not there.
Result<std::vector<std::string>> audit_files(const std::string& folder);

struct FileLine {
  std::string_view text;     // without the line's end
  std::uint64_t number = 0;  // counted from 1
  bool ended = true;         // false: the file stops in the middle of it
};
inline constexpr std::uint64_t kWholeFile = std::numeric_limits<std::uint64_t>::max();
// Every line of a file from byte `from` up to byte `until`; stops when `take` says false. The byte behind the last
// line that ended.
Result<std::uint64_t> each_line(const std::string& path, std::uint64_t from, std::uint64_t until,
                                const std::function<bool(const FileLine&)>& take);

}  // namespace handrail::engine

// JSON as a value, read strictly: duplicate keys, non-finite numbers, deep nesting and invalid UTF-8
// are errors that say where. The library is used through this header only.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace handrail {

// Keys keep the order in which they were declared, so that exports are stable and read well.
using Json = nlohmann::ordered_json;

inline constexpr std::size_t kMaxJsonDepth = 64;

Result<Json> parse_json(std::string_view text, std::size_t max_depth = kMaxJsonDepth);

// One line; invalid UTF-8 inside strings becomes U+FFFD, so writing never fails.
std::string to_line(const Json& value);
// Indented, with a final newline: for files that people read.
std::string to_pretty(const Json& value);

}  // namespace handrail

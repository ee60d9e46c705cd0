// Log lines for people, on stderr only: stdout belongs to the protocol. Never pass typed text,
// clipboard content or keys.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace handrail {

enum class LogLevel { error, warning, info, debug };

void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
void write_log(LogLevel level, std::string_view line);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) write_log(level, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace handrail

#include "base/log.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>

namespace handrail {
namespace {
std::atomic<LogLevel> g_level{LogLevel::warning};
constexpr std::array kNames{"error", "warning", "info", "debug"};
}  // namespace

void set_log_level(LogLevel level) { g_level = level; }

bool log_enabled(LogLevel level) { return level <= g_level.load(std::memory_order_relaxed); }

void write_log(LogLevel level, std::string_view line) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  std::string out = fmt::format("handrail {}.{:03} {}: {}\n", millis / 1000, millis % 1000,
                                kNames[static_cast<std::size_t>(level)], line);
  // One write a line, so that lines of several threads and processes stay whole.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, out.data(), out.size());
}

}  // namespace handrail

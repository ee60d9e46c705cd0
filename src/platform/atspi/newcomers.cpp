#include "platform/atspi/newcomers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace handrail::atspi {
namespace {

// From its first window on a toolkit has its tree in a fraction of this, unless accessibility is off.
constexpr Millis kYoung{4000};
// The longest that a process may need for its first window, on a machine that is busy. One that was met later was there
// before us.
constexpr Millis kSlowest{120'000};
constexpr std::size_t kMostKnown = 64;
// Large programs map thousands of pieces.
constexpr std::size_t kMostText = 8 << 20;

// Libraries of toolkits that put trees on the bus. Browsers have the bridge.
constexpr std::array<std::string_view, 5> kToolkits{"/libgtk-3.so", "/libgtk-4.so", "/libatk-bridge-", "/libQt5Gui",
                                                    "/libQt6Gui"};

std::optional<std::string> read_proc(std::int64_t pid, const char* name) {
  const Fd file(::open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  std::string text;
  std::array<char, 16384> buffer;
  while (text.size() < kMostText) {
    const ssize_t n = ::read(file.get(), buffer.data(), buffer.size());
    if (n < 0) return {};
    if (n == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

// In clock ticks since boot; 0 when it is not told.
std::uint64_t start_of(const std::string& stat) {
  constexpr int kBefore = 20;  // spaces between the name, which may hold anything, and the start
  std::size_t at = stat.rfind(')');
  for (int i = 0; i < kBefore && at != std::string::npos; ++i) at = stat.find(' ', at + 1);
  std::uint64_t start = 0;
  if (at != std::string::npos) std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), start);
  return start;
}

Millis age_of(std::uint64_t start) {
  timespec now{};
  const long ticks = ::sysconf(_SC_CLK_TCK);
  if (start == 0 || ticks <= 0 || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return {};
  const std::int64_t since_boot = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  return Millis(since_boot - static_cast<std::int64_t>(start * 1000 / static_cast<std::uint64_t>(ticks)));
}

bool makes_trees(std::int64_t pid) {
  const auto maps = read_proc(pid, "maps");
  if (!maps) return true;
  return std::any_of(kToolkits.begin(), kToolkits.end(),
                     [&](std::string_view name) { return maps->find(name) != std::string::npos; });
}

}  // namespace

bool Newcomers::is_new(std::int64_t pid) {
  if (pid <= 0) return false;
  const TimePoint now = Clock::now();
  const std::uint64_t start = start_of(read_proc(pid, "stat").value_or(""));
  const auto found = known_.find(pid);
  if (found == known_.end() || found->second.start != start) {
    // Those that are forgotten would be found old again.
    if (known_.size() >= kMostKnown) {
      std::erase_if(known_, [&](const auto& each) { return now > each.second.until + kSlowest; });
    }
    // Who is here is met because of a window: the first is never later than now.
    const Millis late = std::max(Millis(0), age_of(start) - kSlowest);
    known_[pid] = {start, now - late + kYoung, false};
  }
  Known& known = known_[pid];
  if (now > known.until) return false;
  if (!known.makes_trees) known.makes_trees = makes_trees(pid);
  return known.makes_trees;
}

}  // namespace handrail::atspi

#include "platform/linux/machine_state.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "platform/linux/notification_watch.h"

namespace handrail::linux_ {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    found.push_back(at->path());
  }
  std::ranges::sort(found);
  return found;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string time_zone() {
  if (const char* zone = std::getenv("TZ"); zone != nullptr && *zone != '\0') return zone;
  std::error_code failed;
  const std::string link = fs::read_symlink("/etc/localtime", failed).string();
  constexpr std::string_view kFolder = "zoneinfo/";
  if (const std::size_t at = link.find(kFolder); !failed && at != std::string::npos) {
    return link.substr(at + kFolder.size());
  }
  if (const std::string named = first_line("/etc/timezone"); !named.empty()) return named;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return local.tm_zone == nullptr ? "UTC" : local.tm_zone;
}

// A line "MemTotal:  123 kB", in bytes.
std::int64_t memory(const std::string& what) {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(what + ":")) return std::strtoll(line.c_str() + what.size() + 1, nullptr, 10) * 1024;
  }
  return 0;
}

}  // namespace

std::optional<Backlight> read_backlight(const std::string& sys) {
  for (const fs::path& entry : entries(sys + "/class/backlight")) {
    Backlight light{entry.filename().string(), std::strtol(first_line(entry / "max_brightness").c_str(), nullptr, 10),
                    std::strtol(first_line(entry / "brightness").c_str(), nullptr, 10)};
    if (light.most > 0) return light;
  }
  return std::nullopt;
}

std::optional<Battery> read_battery(const std::string& sys) {
  for (const fs::path& entry : entries(sys + "/class/power_supply")) {
    // A mouse has one too, and says that it is not the machine's.
    if (first_line(entry / "type") != "Battery" || first_line(entry / "scope") == "Device") continue;
    const std::string percent = first_line(entry / "capacity");
    if (percent.empty()) continue;
    return Battery{std::strtod(percent.c_str(), nullptr), lower(first_line(entry / "status"))};
  }
  return std::nullopt;
}

SystemState read_machine(const std::string& sys) {
  SystemState state;
  state.time = local_time();
  state.time_zone = time_zone();
  state.battery = read_battery(sys);
  std::array<double, 1> load{};
  if (::getloadavg(load.data(), 1) == 1) state.load = load[0];
  state.processors = static_cast<int>(std::thread::hardware_concurrency());
  state.memory_total = memory("MemTotal");
  state.memory_available = memory("MemAvailable");
  state.uptime = std::strtoll(first_line("/proc/uptime").c_str(), nullptr, 10);
  if (const auto light = read_backlight(sys)) state.brightness = light->percent();
  return state;
}

}  // namespace handrail::linux_

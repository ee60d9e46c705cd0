// Finds the objects of an app that matter for secrets: password fields, and what has the focus. Reads only, in bounded
// steps, and believes nothing of what an app says about its size or shape.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "platform/atspi/bus.h"

namespace handrail::atspi {

inline constexpr const char* kRoot = "/org/a11y/atspi/accessible/root";
inline constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
inline constexpr std::uint32_t kPasswordText = 40;  // AtspiRole

// Bits of AtspiStateType.
enum class StateBit { active = 1, focused = 12, showing = 25, manages_descendants = 31 };

struct Found {
  std::string path;
  std::string window;  // the top-level object that it is in; empty when it could not be found
  std::uint32_t role = 0;
  bool focused = false;
  bool showing = false;
};

struct AppTree {
  std::string toolkit;       // as the app names it
  bool answers = false;      // there is a tree
  bool complete = true;      // all of it was looked at
  std::size_t windows = 0;   // below the root
  bool by_itself = false;    // the app has searched it
  std::vector<Found> found;  // password fields, and whatever has the focus
};

// GTK 4 says of no widget that it shows: what does not is not in its tree.
bool tells_showing(const std::string& toolkit);
bool is_browser(const std::string& toolkit);
std::uint64_t read_states(sd_bus_message* answer);
inline bool has(std::uint64_t states, StateBit bit) { return (states >> static_cast<unsigned>(bit) & 1) != 0; }

// Whether one of its windows says that it has the keyboard.
Result<bool> has_active_window(Bus& bus, const std::string& service, Deadline deadline);
// `timeout` when the app does not answer by the deadline.
Result<AppTree> search_app(Bus& bus, const std::string& service, Deadline deadline);
// Only these objects and what is below them. Not complete when one of them does not say what it is.
Result<AppTree> search_below(Bus& bus, const std::string& service, const std::string& toolkit,
                             const std::set<std::string>& objects, Deadline deadline);

}  // namespace handrail::atspi

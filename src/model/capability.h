// What a computer can do, and for what it cannot do: why, and the fix.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace handrail {

// What an action needs of the desktop. `none` needs nothing.
enum class Capability {
  none,
  screen,
  pointer,
  keyboard,
  windows,
  apps,
  clipboard,
  accessibility,
  files,
  programs,  // running commands and scripts
  services,  // the session's message bus
  notifications,
  brightness,
  screen_lock
};
inline constexpr std::size_t kCapabilityCount = 14;

struct CapabilityState {
  bool available = true;
  std::string missing;  // names what is not there: "the XTEST extension"
  std::string fix;      // what a person does about it
};

class Capabilities {
 public:
  const CapabilityState& operator[](Capability capability) const {
    return states_[static_cast<std::size_t>(capability)];
  }
  void lack(Capability capability, std::string missing, std::string fix) {
    states_[static_cast<std::size_t>(capability)] = {false, std::move(missing), std::move(fix)};
  }

 private:
  std::array<CapabilityState, kCapabilityCount> states_;
};

}  // namespace handrail

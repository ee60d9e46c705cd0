// The D-Bus of a session, as far as bringing a desktop up needs: what activated services start with, and accessibility
// switched on and off.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/process.h"
#include "base/result.h"

struct sd_bus;

namespace handrail::linux_ {

class SessionBus {
 public:
  static Result<SessionBus> connect(const std::string& address, Deadline deadline);

  // For services that the bus starts from now on.
  Status set_activation_environment(const Environment& environment, Deadline deadline);
  // Returns once somebody owns the name. `owner_pidfd` tells early that nobody will.
  Status wait_for_name(const std::string& name, int owner_pidfd, Deadline deadline);
  // `org.a11y.Status.IsEnabled`; nothing when nobody is there to be asked and none is to be started.
  enum class Start { no, yes };
  Result<std::optional<bool>> accessibility_enabled(Start start, Deadline deadline);
  // Sets it and waits until it reads so.
  Status switch_accessibility(bool on, Deadline deadline);
  // The address of the accessibility bus, after that bus has answered.
  Result<std::string> accessibility_bus(Deadline deadline);

 private:
  struct Closer {
    void operator()(sd_bus* bus) const;
  };
  explicit SessionBus(sd_bus* bus) : bus_(bus) {}
  void bound_calls(Deadline deadline);
  std::unique_ptr<sd_bus, Closer> bus_;
};

}  // namespace handrail::linux_

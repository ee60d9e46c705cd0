// The private D-Bus of an embedded desktop, as far as bringing it up needs: what activated services
// start with, and accessibility switched on.
#pragma once

#include <memory>
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
  // Sets `org.a11y.Status.IsEnabled`, and returns the address of the accessibility bus after that bus
  // has answered.
  Result<std::string> enable_accessibility(Deadline deadline);

 private:
  struct Closer {
    void operator()(sd_bus* bus) const;
  };
  explicit SessionBus(sd_bus* bus) : bus_(bus) {}
  void bound_calls(Deadline deadline);
  std::unique_ptr<sd_bus, Closer> bus_;
};

}  // namespace handrail::linux_

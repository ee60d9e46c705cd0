// Who is behind points, focus and windows of an X display. Truth from the server and the kernel; it judges nothing.
#pragma once

#include <memory>

#include "computer/ports.h"
#include "platform/x11/connection.h"
#include "platform/x11/displays.h"
#include "platform/x11/input_delivery.h"
#include "platform/x11/people.h"

namespace handrail::x11 {

class X11Targets : public Targets {
 public:
  // Before the connection's first call. Without `people` nobody is ever known to be there.
  X11Targets(std::shared_ptr<Connection> connection, std::shared_ptr<InputDelivery> delivery,
             std::shared_ptr<People> people);

  Result<Receiver> at(Point point, Deadline deadline) override;
  Result<Receiver> focus(Deadline deadline) override;
  Result<Receiver> of(WindowId window, Deadline deadline) override;
  Result<Receiver> of_process(std::int64_t pid, Deadline deadline) override;
  Result<std::optional<Millis>> person_idle(Deadline deadline) override;
  std::optional<Millis> person_seen() override { return people_ ? people_->seen() : std::nullopt; }

 private:
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<InputDelivery> delivery_;
  std::shared_ptr<People> people_;
  DisplayLayout layout_;
};

}  // namespace handrail::x11

// The Windows port on X11: through the window manager when there is one, else directly.
#pragma once

#include <memory>

#include "computer/ports.h"
#include "platform/x11/connection.h"
#include "platform/x11/displays.h"

namespace handrail::x11 {

// Make it before the connection's first call.
class X11Windows : public Windows {
 public:
  explicit X11Windows(std::shared_ptr<Connection> connection);

  Result<std::vector<Window>> list(Deadline deadline) override;
  Result<Window> change(const ChangeWindow& change, Permit permit, Deadline deadline, std::stop_token stop) override;
  Result<std::vector<Workspace>> workspaces(Deadline deadline) override;
  Status switch_workspace(int workspace, Permit permit, Deadline deadline, std::stop_token stop) override;

 private:
  std::shared_ptr<Connection> connection_;
  DisplayLayout layout_;
};

}  // namespace handrail::x11

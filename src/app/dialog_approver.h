// Asks on the person's own desktop, by a dialog that is a process of its own. One at a time; it ends with the call.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "policy/consent.h"

namespace handrail::app {

struct DialogPlace {
  std::string display;     // such as ":0"
  std::string xauthority;  // empty: the default file
};

class DialogApprover : public policy::Approver {
 public:
  // Where the person sits, asked anew each time. Nothing when there is no display, or when it is nobody's desktop: a
  // dialog there would be on the agent's own screen.
  using Where = std::function<std::optional<DialogPlace>()>;

  explicit DialogApprover(Where where, std::string program = "/proc/self/exe")
      : where_(std::move(where)), program_(std::move(program)) {}

  std::string_view name() const override { return "dialog"; }
  // A display is named there and lets us in.
  bool available() const override;
  Result<policy::ConsentChoice> ask(const policy::ConsentQuestion& question, Deadline deadline,
                                    std::stop_token stop) override;

 private:
  Where where_;
  std::string program_;
  std::timed_mutex showing_;
};

}  // namespace handrail::app

// Asks the person at the controlling terminal. Anything but one of the offered words, and no answer in time, is a no.
#pragma once

#include <string>
#include <string_view>

#include "policy/consent.h"

namespace handrail::app {

class TerminalApprover : public policy::Approver {
 public:
  // The terminal's path is another one in tests.
  explicit TerminalApprover(std::string terminal = "/dev/tty") : terminal_(std::move(terminal)) {}

  std::string_view name() const override { return "terminal"; }
  // There is a terminal, and this process is in its foreground.
  bool available() const override;
  Result<policy::ConsentChoice> ask(const policy::ConsentQuestion& question, Deadline deadline,
                                    std::stop_token stop) override;

 private:
  std::string terminal_;
};

// The question as it is printed, with the answers that it takes.
std::string terminal_text(const policy::ConsentQuestion& question);
// "o", "once", "s", "session", "a", "always" when they were offered; all else is no.
policy::ConsentChoice terminal_choice(std::string_view line, const policy::ConsentQuestion& question);

}  // namespace handrail::app

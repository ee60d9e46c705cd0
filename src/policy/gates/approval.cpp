#include "policy/gates/approval.h"

#include <fmt/format.h>

namespace handrail::policy::gates {

Verdict approval(const UseFacts& facts) {
  if (const auto* change = std::get_if<ChangeSystem>(&facts.plan)) {
    if (change->verb != SystemVerb::lock_screen || !facts.persons_desktop) return allow();
    return ask("The screen would be locked, and only the person can unlock it.",
               "A person has to agree to it; nothing can be seen or done here until they unlock it.");
  }
  const auto* call = std::get_if<CallService>(&facts.plan);
  if (call == nullptr || call->offered) return allow();
  return ask(fmt::format("It would call {}.{} of the service {}.", call->interface, call->method, call->destination),
             "A person has to agree to each call. `list_app_actions` shows what granted apps offer without one.");
}

}  // namespace handrail::policy::gates

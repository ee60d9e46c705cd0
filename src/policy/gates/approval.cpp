#include "policy/gates/approval.h"

#include <fmt/format.h>

#include "base/one_line.h"

namespace handrail::policy::gates {
namespace {

// A path that is longer is shown to nobody, as it would have to be cut.
constexpr std::size_t kWholePath = 4096;

}  // namespace

Verdict approval(const UseFacts& facts) {
  if (const auto* change = std::get_if<ChangeSystem>(&facts.plan)) {
    if (change->verb != SystemVerb::lock_screen || !facts.persons_desktop) return allow();
    return ask("The screen would be locked, and only the person can unlock it.",
               "A person has to agree to it; nothing can be seen or done here until they unlock it.");
  }
  if (const auto* open = std::get_if<OpenApp>(&facts.plan)) {
    const bool granted = facts.file == FileStanding::granted && facts.flags.files;
    if (open->file.empty() || granted) return allow();
    const bool inside = facts.file == FileStanding::granted;
    return ask(fmt::format("It would open {}, {}.", quoted(open->file, kWholePath),
                           inside ? "and using files is not granted" : "which is in no folder that is granted"),
               "A person has to agree to it. `list_folder` without a path tells the granted folders; their files need "
               "the flag files only.");
  }
  const auto* call = std::get_if<CallService>(&facts.plan);
  if (call == nullptr || call->offered) return allow();
  return ask(fmt::format("It would call {}.{} of the service {}.", call->interface, call->method, call->destination),
             "A person has to agree to each call. `list_app_actions` shows what granted apps offer without one.");
}

}  // namespace handrail::policy::gates

#include "policy/gates/clipboard.h"

#include <variant>

namespace handrail::policy::gates {

Verdict clipboard(const AdmissionFacts& facts) {
  const catalog::ActionSpec* spec = facts.call.spec;
  const bool reads = spec != nullptr && spec->capability == Capability::clipboard && !spec->acts();
  if (!reads || facts.flags.clipboard_read) return allow();
  return deny(Code::access_denied, "Reading the clipboard is not granted.",
              "Call request_access with the flag clipboard_read; do not paste it somewhere to read it.");
}

Verdict clipboard(const UseFacts& facts) {
  if (!std::holds_alternative<WriteClipboard>(facts.plan) || facts.flags.clipboard_write) return allow();
  return deny(Code::access_denied, "Writing the clipboard is not granted.",
              "Call request_access with the flag clipboard_write.");
}

}  // namespace handrail::policy::gates

#include "policy/gates/files.h"

#include <variant>

namespace handrail::policy::gates {
namespace {

Verdict judge_files(const GrantFlags& flags) {
  if (flags.files) return allow();
  return deny(Code::access_denied, "Using files is not granted.",
              "Call request_access with the flag files; do not reach them through an app instead.");
}

Verdict judge_shell(const GrantFlags& flags) {
  if (flags.shell) return allow();
  return deny(Code::access_denied, "Running commands is not granted.",
              "Call request_access with the flag shell; do not type commands into a terminal instead.");
}

}  // namespace

Verdict files(const AdmissionFacts& facts) {
  const catalog::ActionSpec* spec = facts.call.spec;
  return spec != nullptr && spec->capability == Capability::files ? judge_files(facts.flags) : allow();
}

Verdict files(const UseFacts& facts) {
  if (facts.file == FileStanding::own) {
    return deny(Code::access_denied, "The file belongs to Handrail itself.",
                "Ask the person to change Handrail's settings; `handrail config path` tells them where they are.");
  }
  return std::holds_alternative<ChangeFile>(facts.plan) ? judge_files(facts.flags) : allow();
}

Verdict shell(const AdmissionFacts& facts) {
  const catalog::ActionSpec* spec = facts.call.spec;
  const bool runs = spec != nullptr && spec->capability == Capability::programs && spec->acts() &&
                    spec->category == catalog::Category::scripting;
  return runs ? judge_shell(facts.flags) : allow();
}

Verdict shell(const UseFacts& facts) {
  return std::holds_alternative<RunProgram>(facts.plan) ? judge_shell(facts.flags) : allow();
}

}  // namespace handrail::policy::gates

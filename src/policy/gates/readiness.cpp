#include "policy/gates/readiness.h"

namespace handrail::policy::gates {
namespace {

// Asking for access changes nothing on the desktop.
bool touches_desktop(const catalog::ActionCall& call) {
  return call.spec == nullptr || (call.spec->acts() && call.spec->touches != catalog::Touches::grants);
}

std::string or_else(const std::string& text, const char* otherwise) { return text.empty() ? otherwise : text; }

// For the middle of a sentence: problems come as sentences of their own.
std::string part(std::string problem, const char* otherwise) {
  while (problem.ends_with('.')) problem.pop_back();
  return problem.empty() ? otherwise : problem;
}

Verdict judge_lock(const Readiness& lock) {
  if (lock.ok) return allow();
  return deny(Code::busy,
              "This session does not control the desktop: " + part(lock.problem, "it is not known who does") + ".",
              or_else(lock.fix, "Wait until the other session has ended its turn, then look and try again."));
}

Verdict judge_guardian(const Readiness& guardian) {
  if (guardian.ok) return allow();
  return deny(Code::permission_missing,
              "The guardian, which undoes what is left behind, is not there: " +
                  part(guardian.problem, "it does not answer") + ". Nothing is done without it.",
              or_else(guardian.fix, "Run `handrail guardian status` and apply the fix it names."));
}

}  // namespace

Verdict desktop_lock(const AdmissionFacts& facts) {
  return touches_desktop(facts.call) ? judge_lock(facts.lock) : allow();
}
Verdict desktop_lock(const UseFacts& facts) { return judge_lock(facts.lock); }

Verdict guardian(const AdmissionFacts& facts) {
  return touches_desktop(facts.call) ? judge_guardian(facts.guardian) : allow();
}
Verdict guardian(const UseFacts& facts) { return judge_guardian(facts.guardian); }

Verdict audit(const AdmissionFacts& facts) {
  if (facts.audit.ok) return allow();
  return deny(Code::gate_refused,
              "The audit log cannot be written: " + part(facts.audit.problem, "the reason is not known") +
                  ". Nothing is done without a record.",
              or_else(facts.audit.fix, "Tell the owner of this desktop; free space or permissions may be missing."));
}

}  // namespace handrail::policy::gates

#include "policy/gates/budget.h"

namespace handrail::policy::gates {
namespace {

Verdict judge(const std::string& spent) {
  if (spent.empty()) return allow();
  return deny(Code::gate_refused, "The session's budget is used up: " + spent + ".",
              "Stop here and tell the person; only they can start another session or raise the budget.");
}

}  // namespace

Verdict budget(const AdmissionFacts& facts) { return judge(facts.spent); }
Verdict budget(const UseFacts& facts) { return judge(facts.spent); }

}  // namespace handrail::policy::gates

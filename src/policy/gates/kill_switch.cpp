#include "policy/gates/kill_switch.h"

namespace handrail::policy::gates {
namespace {

Verdict judge(bool stopped, const std::string& because) {
  if (!stopped) return allow();
  return deny(Code::gate_refused, "Handrail is switched off: " + because + ".",
              "Only the owner of this desktop can switch it on again, after a stop with `handrail resume`; tell them.");
}

}  // namespace

Verdict kill_switch(const AdmissionFacts& facts) { return judge(facts.stopped, facts.stopped_because); }
Verdict kill_switch(const UseFacts& facts) { return judge(facts.stopped, facts.stopped_because); }

}  // namespace handrail::policy::gates

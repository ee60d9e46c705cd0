#include "policy/pipeline.h"

#include <array>

#include "policy/gates/argument_limits.h"
#include "policy/gates/kill_switch.h"
#include "policy/gates/os_permission.h"
#include "policy/gates/stale_look.h"

namespace handrail::policy {
namespace {

// Judged before planning, from the call alone. Cheap, no desktop access.
constexpr std::array kAdmission{
    Gate<AdmissionFacts>{"kill_switch", gates::kill_switch},
    Gate<AdmissionFacts>{"os_permission", gates::os_permission},
    Gate<AdmissionFacts>{"argument_limits", gates::argument_limits},
};

// Judged after planning, against facts read now. Nothing waits between the last gate and the act.
constexpr std::array kTimeOfUse{
    Gate<UseFacts>{"kill_switch", gates::kill_switch},
    Gate<UseFacts>{"stale_look", gates::stale_look},
};

template <class Facts, std::size_t N>
Ruling strictest(const std::array<Gate<Facts>, N>& gates, const Facts& facts) {
  Ruling ruling;
  for (const auto& gate : gates) {
    Verdict verdict = gate.judge(facts);
    if (verdict.judgement > ruling.verdict.judgement) ruling = {gate.name, std::move(verdict)};
  }
  return ruling;
}

}  // namespace

std::span<const Gate<AdmissionFacts>> admission_gates() { return kAdmission; }
std::span<const Gate<UseFacts>> time_of_use_gates() { return kTimeOfUse; }

Ruling judge(const AdmissionFacts& facts) { return strictest(kAdmission, facts); }
Ruling judge(const UseFacts& facts) { return strictest(kTimeOfUse, facts); }

}  // namespace handrail::policy

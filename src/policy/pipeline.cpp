#include "policy/pipeline.h"

#include <array>

#include "policy/gates/approval.h"
#include "policy/gates/argument_limits.h"
#include "policy/gates/budget.h"
#include "policy/gates/clipboard.h"
#include "policy/gates/files.h"
#include "policy/gates/key_blocklist.h"
#include "policy/gates/kill_switch.h"
#include "policy/gates/os_permission.h"
#include "policy/gates/person_active.h"
#include "policy/gates/raise.h"
#include "policy/gates/readiness.h"
#include "policy/gates/region.h"
#include "policy/gates/secret_field.h"
#include "policy/gates/services.h"
#include "policy/gates/stale_look.h"
#include "policy/gates/stale_pixels.h"
#include "policy/gates/targets.h"
#include "policy/gates/text_rules.h"

namespace handrail::policy {
namespace {

// Judged before planning, from the call alone. Cheap, no desktop access.
constexpr std::array kAdmission{
    Gate<AdmissionFacts>{"kill_switch", gates::kill_switch},
    Gate<AdmissionFacts>{"os_permission", gates::os_permission},
    Gate<AdmissionFacts>{"desktop_lock", gates::desktop_lock},
    Gate<AdmissionFacts>{"guardian", gates::guardian},
    Gate<AdmissionFacts>{"audit", gates::audit},
    Gate<AdmissionFacts>{"clipboard", gates::clipboard},
    Gate<AdmissionFacts>{"files", gates::files},
    Gate<AdmissionFacts>{"shell", gates::shell},
    Gate<AdmissionFacts>{"argument_limits", gates::argument_limits},
    Gate<AdmissionFacts>{"budget", gates::budget},
};

// Judged after planning, against facts read now. Nothing waits between the last gate and the act.
constexpr std::array kTimeOfUse{
    Gate<UseFacts>{"kill_switch", gates::kill_switch},
    Gate<UseFacts>{"desktop_lock", gates::desktop_lock},
    Gate<UseFacts>{"guardian", gates::guardian},
    Gate<UseFacts>{"person_active", gates::person_active},
    Gate<UseFacts>{"own_windows", gates::own_windows},
    Gate<UseFacts>{"target_granted", gates::target_granted},
    Gate<UseFacts>{"tier", gates::tier},
    Gate<UseFacts>{"secret_field", gates::secret_field},
    Gate<UseFacts>{"services", gates::services},
    Gate<UseFacts>{"raise", gates::raise},
    Gate<UseFacts>{"approval", gates::approval},
    Gate<UseFacts>{"clipboard", gates::clipboard},
    Gate<UseFacts>{"files", gates::files},
    Gate<UseFacts>{"shell", gates::shell},
    Gate<UseFacts>{"stale_look", gates::stale_look},
    Gate<UseFacts>{"stale_pixels", gates::stale_pixels},
    Gate<UseFacts>{"key_blocklist", gates::key_blocklist},
    Gate<UseFacts>{"text_rules", gates::text_rules},
    Gate<UseFacts>{"region", gates::region},
    Gate<UseFacts>{"budget", gates::budget},
};

template <class Facts, std::size_t N>
Ruling strictest(const std::array<Gate<Facts>, N>& gates, const Facts& facts) {
  Ruling ruling;
  for (const auto& gate : gates) {
    Verdict verdict = gate.judge(facts);
    if (verdict.judgement > ruling.verdict.judgement) ruling = {gate.name, std::move(verdict)};
    // Nothing is stricter, and the first of equals wins.
    if (ruling.verdict.judgement == Judgement::deny) break;
  }
  return ruling;
}

}  // namespace

std::span<const Gate<AdmissionFacts>> admission_gates() { return kAdmission; }
std::span<const Gate<UseFacts>> time_of_use_gates() { return kTimeOfUse; }

Ruling judge(const AdmissionFacts& facts) { return strictest(kAdmission, facts); }
Ruling judge(const UseFacts& facts) { return strictest(kTimeOfUse, facts); }

}  // namespace handrail::policy

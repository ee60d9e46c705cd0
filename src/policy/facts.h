// What gates judge: values gathered in one place, at one moment. A gate reads nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/action_spec.h"
#include "model/capability.h"
#include "model/input_plan.h"
#include "model/look.h"

namespace handrail::policy {

// Known before planning, from the call and the owner's settings alone.
struct AdmissionFacts {
  const catalog::ActionCall& call;
  bool stopped = false;         // the kill switch
  std::string stopped_because;  // what stopped it, for the message
  CapabilityState capability;   // of what the action needs
};

// Read right before the act.
struct UseFacts {
  const catalog::ActionCall& call;
  const Plan& plan;
  bool stopped = false;
  std::string stopped_because;
  std::optional<Look> look;  // the look that the call's coordinates went through
  int selected_display = 0;
  std::optional<std::uint64_t> layout;  // of the displays now; nothing when it could not be read
};

}  // namespace handrail::policy

#include "model/outcome.h"

#include <algorithm>

namespace handrail {

Outcome acted(Route route, Delivery delivery, std::vector<Evidence> evidence) {
  Outcome outcome;
  const bool seen = std::ranges::any_of(
      evidence, [](Evidence each) { return each == Evidence::value_readback || each == Evidence::window_change; });
  outcome.effect = seen ? Effect::confirmed : Effect::unverified;
  outcome.route = route;
  outcome.delivery = delivery;
  outcome.evidence = std::move(evidence);
  return outcome;
}

Outcome observed(Json data) {
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
  outcome.data = std::move(data);
  return outcome;
}

Effect effect_of(const Error& error) {
  switch (error.side_effects) {
    case SideEffects::none: return Effect::refused;
    case SideEffects::partial: return Effect::partial;
    case SideEffects::possible: break;
  }
  return Effect::unverified;
}

void claim_nothing(Outcome& outcome) {
  outcome.evidence.clear();
  if (outcome.effect == Effect::confirmed) {
    outcome.effect = outcome.failure ? effect_of(*outcome.failure) : Effect::unverified;
  }
}

}  // namespace handrail

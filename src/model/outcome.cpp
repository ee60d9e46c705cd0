#include "model/outcome.h"

namespace handrail {

Outcome acted(Route route, Delivery delivery, std::vector<Evidence> evidence) {
  Outcome outcome;
  outcome.effect = evidence.empty() ? Effect::unverified : Effect::confirmed;
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

}  // namespace handrail

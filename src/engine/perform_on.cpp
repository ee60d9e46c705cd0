// Acts on an element, and what the element was seen to make of them.
#include <algorithm>

#include "engine/call_context.h"
#include "engine/reaction.h"

namespace handrail::engine {
namespace {

constexpr std::string_view kElsewhere =
    " Something else in its window changed, which may have moved by itself: capture to see.";

void tell(Outcome& outcome, const Reacted& reacted) {
  if (!reacted.evidence.empty()) {
    const bool window = reacted.evidence.front() == Evidence::window_change;
    outcome.evidence.insert(outcome.evidence.end(), reacted.evidence.begin(), reacted.evidence.end());
    outcome = acted(outcome.route, outcome.delivery, std::move(outcome.evidence));
    outcome.text = window ? "Done; a window of the app came or went." : "Done; the element was seen to react.";
    return;
  }
  const bool delivered = std::ranges::find(outcome.evidence, Evidence::delivered) != outcome.evidence.end();
  if (reacted.elsewhere) outcome.effect = Effect::unverified;
  if (reacted.elsewhere || delivered) {
    outcome.text = delivered ? "Delivered to the app; the element itself says nothing of it."
                             : "Asked for; the element itself shows nothing of it.";
    outcome.text += reacted.elsewhere ? kElsewhere : " Capture to see what it did.";
  }
}

}  // namespace

Result<Outcome> CallContext::perform_on(const ElementKey& element, const Plan& plan) {
  if (only_plan_ || call_.dry_run) return perform(plan);
  const ElementReaction reaction(computer_, element, session_.target());
  Outcome outcome = TRY(perform(plan));
  const auto* act = std::get_if<ActOnElement>(&plan);
  const bool sets = act != nullptr && (act->verb == ElementVerb::set_value || act->verb == ElementVerb::insert);
  // A value was read back by now, and nothing else is evidence of it.
  if (outcome.effect == Effect::confirmed || outcome.failure || sets) return outcome;
  // What it looks like says little of what has a state, or has the pointer above it.
  const bool by_look = act != nullptr && !reaction.has_state();
  tell(outcome, reaction.await(options_.stop, by_look ? ElementReaction::By::look : ElementReaction::By::reading));
  return outcome;
}

}  // namespace handrail::engine

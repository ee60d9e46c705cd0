// Acts on an element, and what the element was seen to make of them.
#include <algorithm>

#include "engine/call_context.h"
#include "engine/reaction.h"

namespace handrail::engine {
namespace {

std::string told(bool delivered, const Outcome& outcome) {
  const auto has = [&](Evidence kind) { return std::ranges::find(outcome.evidence, kind) != outcome.evidence.end(); };
  if (has(Evidence::window_change)) return "Done; a window of the app came or went.";
  if (has(Evidence::value_readback)) return "Done; the element reads otherwise now.";
  std::string text = delivered ? "Delivered to the app; the element says nothing of it."
                               : "Asked for; the element says nothing of it.";
  text += has(Evidence::pixels_changed)
              ? " Something in its window changed, which may have moved by itself: capture to see."
              : " Capture to see what it did.";
  return text;
}

}  // namespace

void CallContext::watch(const ElementKey& element) {
  Accessibility* port = computer_.accessibility();
  std::optional<Element> now;
  if (port != nullptr && !element.id.object.empty()) {
    if (auto read = port->read(element, Deadline::in(kBackendPatience)); read.ok()) now = std::move(read).value();
  }
  reaction_ = std::make_unique<ElementReaction>(computer_, element, now ? now->window : 0, session_.target());
  if (now) reaction_->reads(std::move(*now));
}

Result<Outcome> CallContext::perform_on(const ElementKey& element, const Plan& plan) {
  if (only_plan_ || call_.dry_run) return perform(plan);
  if (!reaction_ || !reaction_->is_of(element)) watch(element);
  Result<Outcome> performed = perform(plan);
  const std::unique_ptr<ElementReaction> reaction = std::move(reaction_);
  Outcome outcome = TRY(std::move(performed));
  const auto* act = std::get_if<ActOnElement>(&plan);
  const bool sets = act != nullptr && (act->verb == ElementVerb::set_value || act->verb == ElementVerb::insert);
  // A value was read back by now, and nothing else is evidence of it.
  if (outcome.effect == Effect::confirmed || outcome.failure || sets) return outcome;
  const std::vector<Evidence> seen = reaction->await(options_.stop);
  // Nothing at all was seen: what is known is in the outcome already.
  if (seen.empty() && act != nullptr) return outcome;
  const bool delivered = !outcome.evidence.empty();
  outcome.evidence.insert(outcome.evidence.end(), seen.begin(), seen.end());
  outcome = acted(outcome.route, outcome.delivery, std::move(outcome.evidence));
  outcome.text = told(delivered, outcome);
  return outcome;
}

}  // namespace handrail::engine

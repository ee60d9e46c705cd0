#include "engine/action_runner.h"

#include <exception>

#include "engine/call_context.h"
#include "policy/pipeline.h"

namespace handrail::engine {

Turns::Turn ActionRunner::take_turn(const catalog::ActionCall& call) {
  return session_.turns().take(turn_kind(*call.spec));
}

Result<Outcome> ActionRunner::run(const catalog::ActionCall& call, Turns::Turn turn, const CallOptions& options) {
  // A call ends early when its client cancels it or the owner switches off.
  std::stop_source ending;
  const auto end = [&ending] { ending.request_stop(); };
  const std::stop_callback cancelled(options.stop, end);
  const std::stop_callback switched_off(session_.kill_switch().token(), end);
  CallOptions inner = options;
  inner.stop = ending.get_token();
  if (const Status came = turn.wait(inner.stop); !came.ok()) {
    KillSwitch& kill_switch = session_.kill_switch();
    if (!kill_switch.stopped()) return came.error();
    // Switched off while it waited: the refusal says why.
    return policy::refusal(policy::judge(policy::AdmissionFacts{call, true, kill_switch.because(), {}}));
  }
  try {
    return run_now(call, inner);
  } catch (const std::exception& error) {
    return make_error(Code::internal, std::string("The call failed in an unforeseen way: ") + error.what() + ".")
        .with_side_effects(SideEffects::possible);
  }
}

Result<Outcome> ActionRunner::run_now(const catalog::ActionCall& call, const CallOptions& options) {
  const TimePoint start = Clock::now();
  Journal::Record record(session_.journal(), call);
  KillSwitch& kill_switch = session_.kill_switch();
  CapabilityState capability;
  if (call.spec->capability != Capability::none) {
    capability = session_.computer().capabilities()[call.spec->capability];
  }
  const policy::AdmissionFacts facts{call, kill_switch.stopped(), kill_switch.because(), capability};
  const policy::Ruling ruling = policy::judge(facts);
  record.ruled(ruling);
  if (!ruling.allowed()) {
    Result<Outcome> refused(policy::refusal(ruling));
    record.ended(refused);
    return refused;
  }
  CallContext context(*this, call, options, record);
  Result<Outcome> outcome = call.spec->run(context, call.params);
  if (outcome.ok()) outcome->took_ms = millis_since(start);
  record.ended(outcome);
  return outcome;
}

}  // namespace handrail::engine

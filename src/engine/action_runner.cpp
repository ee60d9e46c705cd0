#include "engine/action_runner.h"

#include <cmath>
#include <exception>

#include "base/one_line.h"
#include "engine/call_context.h"
#include "engine/gather.h"
#include "policy/pipeline.h"

namespace handrail::engine {
namespace {

// Whether it did something, or may have: a refusal uses nothing up.
bool did(const Result<Outcome>& outcome) {
  if (!outcome.ok()) return outcome.error().side_effects != SideEffects::none;
  return outcome->effect != Effect::refused;
}

struct CallEnd {
  Session& session;
  ~CallEnd() { session.tenure().call_ends(); }
};

// A grant for one call ends with it, also when the call ends by an exception: then nobody knows what was done.
struct OnceEnd {
  Session& session;
  bool used_up;
  ~OnceEnd() {
    if (used_up) session.end_once();
  }
};

}  // namespace

Turns::Turn ActionRunner::take_turn(const catalog::ActionCall& call) {
  return session_.turns().take(turn_kind(*call.spec));
}

void ActionRunner::refused(std::string_view name, const Json& arguments, const Error& why) {
  CallRecord record(session_.journal(), session_.parts().audit, session_.id(), name, arguments);
  record.ended(why);
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
    return ended_in_line(call, came.error());
  }
  session_.tenure().call_begins();
  const CallEnd end_of_call{session_};
  try {
    OnceEnd once{session_, call.spec->acts() && call.spec->touches != catalog::Touches::grants && !call.dry_run};
    Result<Outcome> outcome = run_now(call, inner);
    once.used_up = once.used_up && did(outcome);
    return outcome;
  } catch (const std::exception& error) {
    return make_error(Code::internal, std::string("The call failed in an unforeseen way: ") + error.what() + ".")
        .with_side_effects(SideEffects::possible);
  }
}

// It never began, and is on record all the same.
Error ActionRunner::ended_in_line(const catalog::ActionCall& call, const Error& cancelled) {
  CallRecord record(session_.journal(), session_.parts().audit, session_.id(), call);
  Error why = cancelled;
  if (session_.kill_switch().stopped()) {
    // Switched off while it waited: the refusal says why. That is looked at first, so that nothing else is asked.
    if (const auto facts = Gather(session_, call).admission(record.begun()); facts.ok()) {
      const policy::Ruling ruling = policy::judge(*facts);
      record.ruled(ruling);
      if (!ruling.allowed()) why = policy::refusal(ruling);
    }
  }
  record.ended(why);
  return why;
}

// What was cut short by the off switch was not cancelled by its client, and only the owner can let it go on.
Result<Outcome> ActionRunner::say_who_stopped(const catalog::ActionCall& call, Result<Outcome> outcome,
                                              CallRecord& record) {
  Error* error = !outcome.ok() ? &outcome.error() : outcome->failure ? &*outcome->failure : nullptr;
  if (error == nullptr || error->code != Code::cancelled || !session_.kill_switch().stopped()) return outcome;
  const auto facts = Gather(session_, call).admission(record.begun());
  const policy::Ruling ruling = facts.ok() ? policy::judge(*facts) : policy::Ruling();
  if (ruling.allowed()) return outcome;
  record.ruled(ruling);
  Error told = policy::refusal(ruling);
  told.message += error->side_effects == SideEffects::none ? " Nothing of this call was done."
                                                           : " This call was ended in the middle; part of it was done.";
  told.side_effects = error->side_effects;
  if (outcome.ok()) {
    const std::size_t at = outcome->text.find(error->message);
    if (at != std::string::npos) outcome->text.replace(at, error->message.size(), told.message);
  }
  *error = std::move(told);
  return outcome;
}

Result<Outcome> ActionRunner::run_now(const catalog::ActionCall& call, const CallOptions& options) {
  const TimePoint start = Clock::now();
  session_.resolve_config_grants();
  session_.budget().count_call(start);
  CallRecord record(session_.journal(), session_.parts().audit, session_.id(), call);
  const auto facts = Gather(session_, call).admission(record.begun());
  if (!facts.ok()) {
    Result<Outcome> lost(facts.error());
    record.ended(lost);
    return lost;
  }
  const policy::Ruling ruling = policy::judge(*facts);
  record.ruled(ruling);
  if (!ruling.allowed()) {
    Result<Outcome> refused(policy::refusal(ruling));
    record.ended(refused);
    return refused;
  }
  CallContext context(*this, call, options, record);
  const bool settles = call.capture_after || call.settle_ms > 0;
  if (settles && !call.dry_run) context.watch_target();
  if (call.spec->name == "capture") context.notice_motion();
  Result<Outcome> outcome = say_who_stopped(call, call.spec->run(context, call.params), record);
  if (outcome.ok()) {
    context.tell_element(*outcome);
    outcome->took_ms = millis_since(start);
    if (call.dry_run && !outcome->dry_run) {
      outcome->dry_run = true;
      outcome->text = "Dry run, nothing was done. Otherwise: " + outcome->text;
    }
    if (outcome->dry_run || outcome->failure) claim_nothing(*outcome);
  }
  if (settles && !call.dry_run && outcome.ok() && !outcome->failure) {
    come_to_rest(context, call.settle_ms, *outcome);
    if (call.capture_after) show_after(context, *outcome);
  }
  record.ended(outcome);
  return outcome;
}

void ActionRunner::come_to_rest(CallContext& context, int settle_ms, Outcome& outcome) {
  const auto settled = context.settled(settle_ms > 0 ? Millis(settle_ms) : kRestAfterAct.most);
  if (!settled.ok()) return;
  const auto tenth = [](double ms) { return std::round(ms * 10) / 10; };
  outcome.data["settled"] = {{"changed", settled->changed},
                             {"first_change_ms", tenth(settled->first_change_ms)},
                             {"settled_ms", tenth(settled->settled_ms)},
                             {"still", settled->still}};
}

// A follow-up that fails takes nothing back of what was done; it is told.
void ActionRunner::show_after(CallContext& context, Outcome& outcome) {
  auto capture = catalog_.call("capture", Json::object());
  if (!capture.ok()) return;
  Result<Outcome> seen = capture->spec->run(context, capture->params);
  if (!seen.ok()) {
    outcome.text += " The capture afterwards failed: " + one_line(to_text(seen.error()));
    return;
  }
  outcome.text += "\nAfter it: " + seen->text;
  outcome.untrusted += seen->untrusted;
  for (Picture& picture : seen->pictures) outcome.pictures.push_back(std::move(picture));
  outcome.data["capture"] = std::move(seen->data);
}

}  // namespace handrail::engine

#include "actions/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/context.h"
#include "actions/judging.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

Truth all_of(const std::vector<VerifiedRow>& rows) {
  const auto any = [&](Truth truth) { return std::ranges::find(rows, truth, &VerifiedRow::truth) != rows.end(); };
  return any(Truth::unsatisfied) ? Truth::unsatisfied : any(Truth::unknown) ? Truth::unknown : Truth::satisfied;
}

Outcome told(VerifyResult result) {
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("{}.", describe::name_of(result.state));
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    outcome.text +=
        fmt::format(" {}: {} ({})", i + 1, describe::name_of(result.rows[i].truth), one_line(result.rows[i].why));
  }
  return outcome;
}

Result<Outcome> run_verify(ActionContext& context, const VerifyState& verify) {
  Result<Target> aimed = context.aim(verify.app, {});
  const bool only_windows = std::ranges::all_of(verify.expect, about_windows);
  const bool gone = !aimed.ok() && verify.app.empty() && aimed.error().code == Code::target_stale;
  const bool nowhere = !aimed.ok() && aimed.error().code == Code::not_found;
  const bool judged_anyway = (gone && context.last_target()) || (only_windows && (gone || nowhere));
  if (!aimed.ok() && !judged_anyway) return aimed.error();
  const Target target = aimed.ok() ? *aimed : Target{};
  Result<Scene> seen = aimed.ok() ? look_around(context, target) : scene_without(context, aimed.error());
  const Scene scene = TRY(std::move(seen));
  VerifyResult result;
  for (std::size_t i = 0; i < verify.expect.size(); ++i) {
    Result<VerifiedRow> judged = judge(context, target, scene, verify.expect[i]);
    if (!judged.ok() && judged.error().field == "element") {
      Error error = std::move(judged).error();
      error.field = fmt::format("expect[{}].element", i);
      return error;
    }
    result.rows.push_back(TRY(std::move(judged)));
  }
  result.state = all_of(result.rows);
  return told(std::move(result));
}

Error gone_for_good(const Target& target) {
  return make_error(Code::target_stale,
                    fmt::format("The window of {} is gone, so nothing more can show in it.", one_line(target.app)))
      .with_hint("Capture another window, or wait for an app by name.");
}

bool is_open(const Target& target, const Scene& scene) {
  return target.screen || std::ranges::find(scene.open, target.window) != scene.open.end();
}

Outcome never_came(VerifyResult result, TimePoint start, Error why) {
  result.waited = std::round(millis_since(start)) / 1000;
  Outcome outcome = told(std::move(result));
  outcome.failure = std::move(why);
  return outcome;
}

Result<Outcome> run_wait_for(ActionContext& context, const WaitFor& wait) {
  const TimePoint start = Clock::now();
  const Deadline deadline = Deadline::in(Millis(std::lround(wait.timeout_seconds * 1000)));
  Target target = TRY(context.aim(wait.app, {}));
  Predicate predicate;
  predicate.is = wait.text.empty() ? Expect::element : Expect::text;
  predicate.text = wait.text;
  predicate.name = wait.name;
  predicate.role = wait.role;
  VerifyResult result;
  while (true) {
    // What happens while it is looked at counts as seen afterwards: the wait begins before the look.
    TRY(context.begin_watch(target));
    const Scene scene = TRY(look_around(context, target));
    if (!is_open(target, scene)) {
      // A named app may go on in another window; nothing can show in one that is gone.
      Result<Target> next = wait.app.empty() ? Result<Target>(gone_for_good(target)) : context.aim(wait.app, {});
      if (!next.ok()) return never_came(std::move(result), start, std::move(next).error());
      target = std::move(next).value();
      continue;
    }
    const VerifiedRow now = TRY(judge(context, target, scene, predicate));
    result.rows = {now};
    result.state = now.truth;
    if (now.truth == Truth::satisfied || deadline.passed()) break;
    TRY(context.await_change(target, deadline));
  }
  if (result.state != Truth::satisfied) {
    return never_came(std::move(result), start,
                      make_error(Code::timeout, fmt::format("It did not come within {:g} s.", wait.timeout_seconds))
                          .with_hint("Capture to see what shows instead."));
  }
  result.waited = std::round(millis_since(start)) / 1000;
  return told(std::move(result));
}

Status check_predicate(const Predicate& predicate, std::size_t place) {
  const auto lacks = [&](const char* field) {
    return make_error(Code::argument_invalid, fmt::format("`expect[{}]` does not say which {}.", place, field))
        .with_field(fmt::format("expect[{}].{}", place, field), "a text that is not empty");
  };
  switch (predicate.is) {
    case Expect::text:
    case Expect::no_text: return predicate.text.empty() ? Status(lacks("text")) : Status();
    case Expect::window:
    case Expect::no_window: return predicate.name.empty() ? Status(lacks("name")) : Status();
    default: break;
  }
  if (!predicate.element && predicate.name.empty() && predicate.role.empty()) return lacks("element");
  return {};
}

constexpr std::array kVerify{
    Example{"A field holds a text.", R"({"expect": [{"is": "value", "element": 3, "value": "Grüße"}]})"},
    Example{
        "A dialog is open and its button can be pressed.",
        R"({"expect": [{"is": "window", "name": "Save"}, {"is": "enabled", "name": "Save", "role": "push button"}]})"},
};
constexpr std::array kWait{Example{"Until a page says so.", R"({"text": "Saved", "timeout_seconds": 5})"}};

constexpr std::array kVerifyActions{
    action<VerifyState, VerifyResult, run_verify>(
        "verify_state", Category::observe, Touches::nothing, Tier::read, Capability::screen,
        "Check that elements, values, texts and windows are as expected.", kVerify),
    action<WaitFor, VerifyResult, run_wait_for>("wait_for", Category::observe, Touches::nothing, Tier::read,
                                                Capability::screen, "Wait until a text or an element shows, by event.",
                                                kWait),
};

}  // namespace

Status check(const VerifyState& verify) {
  for (std::size_t i = 0; i < verify.expect.size(); ++i) TRY(check_predicate(verify.expect[i], i));
  return {};
}

Status check(const WaitFor& wait) {
  if (!wait.text.empty() || !wait.name.empty() || !wait.role.empty()) return {};
  return make_error(Code::argument_invalid, "Nothing says what to wait for.")
      .with_field("text", "a text, or the `name` or `role` of an element");
}

std::span<const catalog::ActionSpec> verify_actions() { return kVerifyActions; }

}  // namespace handrail::actions

#include "actions/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/observe.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

Result<Outcome> run_wait(ActionContext& context, const Wait& wait) {
  const TimePoint start = Clock::now();
  TRY(context.pause(Millis(static_cast<long>(std::lround(wait.duration * 1000)))));
  WaitResult result{std::round(millis_since(start)) / 1000};
  Outcome outcome = observed(describe::encode(result));
  outcome.text = fmt::format("Waited {:g} s.", result.waited);
  return outcome;
}

Result<Outcome> run_switch_display(ActionContext& context, const SwitchDisplay& change) {
  const auto displays = TRY(context.displays());
  const auto count = static_cast<int>(displays.size());
  if (change.display >= count) {
    return make_error(Code::argument_invalid, fmt::format("`display` is {}, but there are {}.", change.display, count))
        .with_field("display", fmt::format("a number from 0 to {}", count - 1));
  }
  context.select_display(change.display);
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
  const Display& display = displays[static_cast<std::size_t>(change.display)];
  outcome.text = fmt::format(
      "Display {} ({}, {:g}x{:g} points) is selected; take a screenshot of it before using "
      "coordinates.",
      display.id, display.name, display.bounds.width, display.bounds.height);
  return outcome;
}

Result<Outcome> run_release(ActionContext& context, const NoParams&) {
  TRY(context.end_turn());
  Outcome outcome = acted(Route::system, Delivery::background, {Evidence::value_readback});
  outcome.text = "The desktop is given back: windows, clipboard and keys are as they were.";
  return outcome;
}

Result<Outcome> run_batch(ActionContext& context, const Batch& batch) { return context.run_batch(batch.steps); }

constexpr std::array kWait{Example{"Let a page load.", R"({"duration": 2})"}};
constexpr std::array kSwitch{Example{"The second screen.", R"({"display": 1})"}};
constexpr std::array kRelease{Example{"Done for now.", "{}"}};
constexpr std::array kBatch{
    Example{"Type and save.", R"({"steps": [{"action": "type", "params": {"text": "done"}},
                                             {"action": "key", "params": {"keys": "ctrl+s"}}]})"},
};

constexpr std::array kFlowActions{
    action<Wait, WaitResult, run_wait>("wait", Category::flow, Touches::nothing, Tier::none, Capability::none,
                                       "Wait for a number of seconds.", kWait),
    action<SwitchDisplay, NoResult, run_switch_display>("switch_display", Category::flow, Touches::several, Tier::full,
                                                        Capability::screen, "Select the display that screenshots show.",
                                                        kSwitch),
    action<NoParams, NoResult, run_release>("release", Category::flow, Touches::several, Tier::none, Capability::none,
                                            "Give the desktop back: the turn is over.", kRelease),
    action<Batch, BatchResult, run_batch>("batch", Category::flow, Touches::several, Tier::none, Capability::none,
                                          "Run several actions in order; stop at the first failure.", kBatch),
};

}  // namespace

StepReport step_report(int step, std::string_view action, const Result<Outcome>& outcome) {
  StepReport report{step, std::string(action), Effect::refused, {}};
  if (outcome.ok()) {
    report.effect = outcome->effect;
    report.text = outcome->text;
  } else {
    if (outcome.error().side_effects != SideEffects::none) report.effect = Effect::partial;
    report.text = to_text(outcome.error());
  }
  return report;
}

Outcome batch_outcome(std::vector<StepReport> reports, int asked, std::optional<Error> failure) {
  BatchResult result;
  result.steps = std::move(reports);
  result.done = static_cast<int>(result.steps.size()) - (failure ? 1 : 0);
  result.skipped = asked - static_cast<int>(result.steps.size());
  Outcome outcome = acted(Route::user_seat, Delivery::foreground, {});
  const bool all_confirmed = std::all_of(result.steps.begin(), result.steps.end(),
                                         [](const StepReport& report) { return report.effect == Effect::confirmed; });
  if (failure) {
    outcome.effect = result.done > 0 || failure->side_effects != SideEffects::none ? Effect::partial : Effect::refused;
    outcome.text = fmt::format("Step {} of {} failed; {} done before, {} not run.", result.done + 1, asked, result.done,
                               result.skipped);
    if (result.done > 0) failure->side_effects = SideEffects::partial;
  } else {
    outcome.effect = all_confirmed ? Effect::confirmed : Effect::unverified;
    outcome.text = fmt::format("All {} steps done.", asked);
  }
  for (const StepReport& report : result.steps) {
    outcome.text +=
        fmt::format("\n{}. {}: {} {}", report.step + 1, report.action, describe::name_of(report.effect), report.text);
  }
  outcome.data = describe::encode(result);
  outcome.failure = std::move(failure);
  return outcome;
}

std::span<const catalog::ActionSpec> flow_actions() { return kFlowActions; }

}  // namespace handrail::actions

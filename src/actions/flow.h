// Actions about the course of a visit: waiting, batches, the selected display.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actions/context.h"
#include "catalog/action_spec.h"
#include "describe/model_names.h"

namespace handrail::actions {

inline constexpr double kMaxBatch = 20;

struct Wait {
  double duration = 1;
};

struct WaitResult {
  double waited = 0;
};

struct SwitchDisplay {
  int display = 0;
};

struct Batch {
  std::vector<BatchStep> steps;
};

struct StepReport {
  int step = 0;
  std::string action;
  Effect effect = Effect::unverified;
  std::string text;
};

struct BatchResult {
  std::vector<StepReport> steps;
  int done = 0;
  int skipped = 0;
};

// One step that was run, as its batch reports it.
StepReport step_report(int step, std::string_view action, const Result<Outcome>& outcome);
// The whole batch: confirmed when every step is, partial when it ended early.
Outcome batch_outcome(std::vector<StepReport> reports, int asked, std::optional<Error> failure);

std::span<const catalog::ActionSpec> flow_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Fields<actions::Wait> {
  using T = actions::Wait;
  static constexpr auto list = std::tuple{
      needed("duration", &T::duration, "Seconds.", between(0, 60)),
  };
};
template <>
struct Fields<actions::WaitResult> {
  using T = actions::WaitResult;
  static constexpr auto list = std::tuple{field("waited", &T::waited, "Seconds that passed.")};
};
template <>
struct Fields<actions::SwitchDisplay> {
  using T = actions::SwitchDisplay;
  static constexpr auto list = std::tuple{
      needed("display", &T::display, "Number of the display, from 0.", between(0, 63)),
  };
};
template <>
struct Fields<actions::BatchStep> {
  using T = actions::BatchStep;
  static constexpr auto list = std::tuple{
      needed("action", &T::action, "Name of the action.", between(1, 60)),
      field("params", &T::params, "Its parameters."),
      field("label", &T::label, "Name to report the step under.", between(0, 60)),
  };
};
template <>
struct Fields<actions::Batch> {
  using T = actions::Batch;
  static constexpr auto list = std::tuple{
      needed("steps", &T::steps, "Actions in order; all are checked before the first runs.",
             between(1, actions::kMaxBatch)),
  };
};
template <>
struct Fields<actions::StepReport> {
  using T = actions::StepReport;
  static constexpr auto list = std::tuple{
      field("step", &T::step, "Place in the batch, from 0."),
      field("action", &T::action, "What was asked."),
      field("effect", &T::effect, "What is known of it."),
      field("text", &T::text, "What happened."),
  };
};
template <>
struct Fields<actions::BatchResult> {
  using T = actions::BatchResult;
  static constexpr auto list = std::tuple{
      field("steps", &T::steps, "One report for each step that ran."),
      field("done", &T::done, "Steps that succeeded."),
      field("skipped", &T::skipped, "Steps after the first failure, not run."),
  };
};

}  // namespace handrail::describe

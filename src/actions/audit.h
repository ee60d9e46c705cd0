// What this session has done so far, read from its journal. Of other sessions, and of texts, nothing is told.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/action_spec.h"

namespace handrail::actions {

enum class AuditForm { summary, full };

struct Audit {
  AuditForm form = AuditForm::summary;
  int most = 50;
};

struct CallRow {
  int call = 0;
  std::string action;
  std::string result;
  std::string gate;
  std::string plan;
  double took_ms = 0;
};

struct CountRow {
  std::string action;
  std::string result;
  int calls = 0;
};

struct AuditResult {
  int calls = 0;
  int refused = 0;
  std::vector<CountRow> counts;
  std::vector<CallRow> rows;
};

std::span<const catalog::ActionSpec> audit_actions();

}  // namespace handrail::actions

namespace handrail::describe {

template <>
struct Names<actions::AuditForm> {
  using F = actions::AuditForm;
  static constexpr std::array list{Name{F::summary, "summary"}, Name{F::full, "full"}};
};
template <>
struct Fields<actions::Audit> {
  using T = actions::Audit;
  static constexpr auto list = std::tuple{
      field("form", &T::form, "summary counts the calls; full lists them."),
      field("most", &T::most, "Most calls to list, the latest ones.", between(1, 1000)),
  };
};
template <>
struct Fields<actions::CallRow> {
  using T = actions::CallRow;
  static constexpr auto list = std::tuple{
      field("call", &T::call, "Its place in this session, from 1."),
      field("action", &T::action, "What was asked."),
      field("result", &T::result, "Effect or error code."),
      field("gate", &T::gate, "The gate that refused it."),
      field("plan", &T::plan, "What was planned, without texts."),
      field("took_ms", &T::took_ms, "Milliseconds."),
  };
};
template <>
struct Fields<actions::CountRow> {
  using T = actions::CountRow;
  static constexpr auto list = std::tuple{
      field("action", &T::action, "What was asked."),
      field("result", &T::result, "Effect or error code."),
      field("calls", &T::calls, "How often."),
  };
};
template <>
struct Fields<actions::AuditResult> {
  using T = actions::AuditResult;
  static constexpr auto list = std::tuple{
      field("calls", &T::calls, "Calls of this session before this one, as far as they are kept."),
      field("refused", &T::refused, "Of them, refused by a gate."),
      field("counts", &T::counts, "By action and result."),
      field("rows", &T::rows, "The latest calls, oldest first."),
  };
};

}  // namespace handrail::describe

#include "actions/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/context.h"
#include "base/one_line.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::Tier;
using catalog::Touches;

void count(std::vector<CountRow>& counts, const CallSeen& call) {
  const auto found = std::ranges::find_if(
      counts, [&](const CountRow& row) { return row.action == call.action && row.result == call.result; });
  if (found == counts.end())
    counts.push_back({call.action, call.result, 1});
  else
    ++found->calls;
}

Result<Outcome> run_audit(ActionContext& context, const Audit& audit) {
  const std::vector<CallSeen> calls = context.calls();
  AuditResult result;
  result.calls = static_cast<int>(calls.size());
  for (const CallSeen& call : calls) {
    count(result.counts, call);
    if (!call.refused_by.empty()) ++result.refused;
  }
  std::string lines;
  if (audit.form == AuditForm::summary) {
    for (const CountRow& row : result.counts)
      lines += fmt::format("\n{} x {}: {}", row.calls, one_line(row.action), row.result);
  } else {
    const auto most = static_cast<std::size_t>(audit.most);
    for (std::size_t i = calls.size() - std::min(calls.size(), most); i < calls.size(); ++i) {
      const CallSeen& call = calls[i];
      result.rows.push_back({static_cast<int>(call.number), call.action, call.result, call.refused_by, call.plan,
                             std::round(call.took_ms * 100) / 100});
      lines += fmt::format("\n{}. {}: {}{}", call.number, one_line(call.action), call.result,
                           call.refused_by.empty() ? "" : " by " + call.refused_by);
    }
    result.counts.clear();
  }
  Outcome outcome = observed(describe::encode(result));
  outcome.text =
      fmt::format("{} call(s) of this session, {} refused by a gate.{}", result.calls, result.refused, lines);
  return outcome;
}

constexpr std::array kAudit{
    Example{"How often what was done.", "{}"},
    Example{"The last ten calls.", R"({"form": "full", "most": 10})"},
};

constexpr std::array kAuditActions{
    action<Audit, AuditResult, run_audit>("audit", Category::flow, Touches::nothing, Tier::none, Capability::none,
                                          "Tell what this session has done so far, without texts.", kAudit),
};

}  // namespace

std::span<const catalog::ActionSpec> audit_actions() { return kAuditActions; }

}  // namespace handrail::actions

#include "policy/consent.h"

#include <fmt/format.h>

#include <algorithm>

namespace handrail::policy {
namespace {

struct ChoiceName {
  ConsentChoice choice;
  std::string_view name;
};
constexpr ChoiceName kNames[] = {{ConsentChoice::deny, "deny"},
                                 {ConsentChoice::once, "once"},
                                 {ConsentChoice::session, "session"},
                                 {ConsentChoice::always, "always"}};

}  // namespace

std::string_view name_of(ConsentChoice choice) {
  for (const ChoiceName& row : kNames) {
    if (row.choice == choice) return row.name;
  }
  return "deny";
}

std::optional<ConsentChoice> choice_named(std::string_view name) {
  for (const ChoiceName& row : kNames) {
    if (row.name == name) return row.choice;
  }
  return std::nullopt;
}

ConsentAnswer ask_person(const std::vector<Approver*>& approvers, const ConsentQuestion& question, Millis patience,
                         std::stop_token stop) {
  ConsentAnswer answer;
  answer.digest = consent_digest(question);
  if (question.empty()) {
    answer.reason = "Nothing was asked for.";
    return answer;
  }
  if (question.items.size() > kMostConsentItems) {
    answer.reason =
        fmt::format("That is too much for one question; ask for at most {} apps at a time.", kMostConsentItems);
    return answer;
  }
  const auto usable = [](const Approver* approver) { return approver != nullptr && approver->available(); };
  const auto found = std::find_if(approvers.begin(), approvers.end(), usable);
  if (found == approvers.end()) {
    answer.reason =
        "There is nobody to ask: the client takes no questions, and there is no desktop or terminal of a person here. "
        "Its "
        "owner can grant apps with `--grant APP:TIER` or in the settings.";
    return answer;
  }
  if (stop.stop_requested()) {
    answer.reason = "The call was ended before anyone was asked.";
    return answer;
  }
  Approver& approver = **found;
  answer.by = std::string(approver.name());
  const Deadline deadline = Deadline::in(patience);
  const Result<ConsentChoice> said = approver.ask(question, deadline, stop);
  if (!said.ok()) {
    answer.deferred = approver.deferred();
    answer.reason = said.error().code == Code::timeout
                        ? "The person did not answer in time."
                        : fmt::format("The question could not be asked: {}{}{}", said.error().message,
                                      said.error().hint.empty() ? "" : " ", said.error().hint);
    return answer;
  }
  // A yes that was pressed after its time is none.
  if (*said != ConsentChoice::deny && (deadline.passed() || stop.stop_requested())) {
    answer.reason = "The answer came too late.";
    return answer;
  }
  const bool offered = std::find(question.offered.begin(), question.offered.end(), *said) != question.offered.end();
  if (*said != ConsentChoice::deny && !offered) {
    answer.reason = "The answer is not one of those that were offered.";
    return answer;
  }
  answer.choice = *said;
  if (answer.choice == ConsentChoice::deny) answer.reason = "The person said no.";
  return answer;
}

}  // namespace handrail::policy

#include "policy/consent_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace handrail::policy {
namespace {

// What is asked for, without the agent's words about it.
std::string subject_of(ConsentQuestion question) {
  question.reason.clear();
  return consent_digest(question);
}

std::string wait_text(std::string_view why, TimePoint until, TimePoint now) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(until - now).count();
  return fmt::format(
      "{} Nobody is asked again for {} s; do not repeat the request, tell the person what you need it for.", why,
      seconds);
}

}  // namespace

void ConsentMemory::forget(TimePoint now) {
  const Millis keep = std::max(limits_.same, limits_.refusals_in);
  while (!refusals_.empty() && now - refusals_.front().at >= keep) refusals_.pop_front();
  if (silent_until_ && now >= *silent_until_) silent_until_.reset();
}

std::optional<std::string> ConsentMemory::hushed(const ConsentQuestion& question, TimePoint now) {
  forget(now);
  if (silent_until_) return wait_text("The person said no several times.", *silent_until_, now);
  const std::string subject = subject_of(question);
  for (auto refusal = refusals_.rbegin(); refusal != refusals_.rend(); ++refusal) {
    const TimePoint until = refusal->at + limits_.same;
    if (refusal->subject == subject && now < until) return wait_text("The person just said no to this.", until, now);
  }
  return std::nullopt;
}

void ConsentMemory::refused(const ConsentQuestion& question, TimePoint now) {
  forget(now);
  refusals_.push_back({subject_of(question), now});
  const auto recent = std::count_if(refusals_.begin(), refusals_.end(),
                                    [&](const Refusal& refusal) { return now - refusal.at < limits_.refusals_in; });
  if (recent >= limits_.most_refusals) silent_until_ = now + limits_.silence;
}

ConsentAnswer ConsentDesk::ask(const std::vector<Approver*>& approvers, const ConsentQuestion& question,
                               Millis patience, std::stop_token stop) {
  const Deadline deadline = Deadline::in(patience);
  ConsentAnswer answer;
  answer.digest = consent_digest(question);
  // Short turns, as a stop cannot wake who waits for a lock.
  std::unique_lock asking(asking_, std::defer_lock);
  while (!asking.try_lock_until(deadline.within(Millis(100)).at())) {
    if (!deadline.passed() && !stop.stop_requested()) continue;
    answer.reason = "Another question was not answered in time.";
    return answer;
  }
  if (auto why = memory_.hushed(question, Clock::now())) {
    answer.reason = std::move(*why);
    return answer;
  }
  answer = ask_person(approvers, question, patience, stop);
  // An unanswered question was shown just as well. A client that could not ask is no person who said no.
  if (answer.choice == ConsentChoice::deny && !answer.by.empty() && !answer.deferred) {
    memory_.refused(question, Clock::now());
  }
  return answer;
}

}  // namespace handrail::policy

#include "engine/journal.h"

#include "base/log.h"

namespace handrail::engine {

Journal::Record::Record(Journal& journal, std::string action) : journal_(journal) { entry_.action = std::move(action); }

Journal::Record::~Record() {
  if (entry_.result.empty()) entry_.result = "abandoned";
  entry_.took_ms = millis_since(started_);
  journal_.append(std::move(entry_));
}

void Journal::Record::ruled(const policy::Ruling& ruling) {
  if (!ruling.allowed()) entry_.refused_by = std::string(ruling.gate);
}

void Journal::Record::planned(const Plan& plan) { entry_.plan = summary(plan); }

void Journal::Record::ended(const Result<Outcome>& outcome) {
  entry_.result = std::string(outcome.ok() ? name(outcome->effect) : row(outcome.error().code).name);
}

void Journal::append(JournalEntry entry) {
  const std::lock_guard lock(mutex_);
  entry.sequence = next_++;
  log(LogLevel::debug, "call {} {}: {}{}{} in {:.2f} ms", entry.sequence, entry.action, entry.result,
      entry.refused_by.empty() ? "" : " by " + entry.refused_by, entry.plan.empty() ? "" : " (" + entry.plan + ")",
      entry.took_ms);
  entries_.push_back(std::move(entry));
  if (entries_.size() > kKept) entries_.pop_front();
}

std::vector<JournalEntry> Journal::entries() const {
  const std::lock_guard lock(mutex_);
  return {entries_.begin(), entries_.end()};
}

}  // namespace handrail::engine

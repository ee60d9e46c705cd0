// What is written down about one call: in the journal for this process, in the audit log for the owner. The audit
// record of the attempt is there before anything is done. Texts that were typed or copied are told by length and digest
// only.
#pragma once

#include <optional>
#include <string>

#include "engine/audit_log.h"
#include "engine/journal.h"
#include "policy/standing.h"

namespace handrail::engine {

class CallRecord {
 public:
  // `audit` may be null: then begin() is an error.
  CallRecord(Journal& journal, AuditLog* audit, const std::string& session, const catalog::ActionCall& call);
  // Of a call that could not be understood: what its arguments mean is not known, so nothing of them is told but size
  // and digest.
  CallRecord(Journal& journal, AuditLog* audit, const std::string& session, std::string_view name,
             const Json& arguments);
  // Completes both, as "abandoned" when there was no end.
  ~CallRecord();
  CallRecord(const CallRecord&) = delete;
  CallRecord& operator=(const CallRecord&) = delete;

  // Whether the attempt is on record.
  const Status& begun() const { return begun_; }
  void ruled(const policy::Ruling& ruling);
  void planned(const Plan& plan);
  // The app that an act is for.
  void reaches(const Receiver& receiver, const policy::Standing& standing);
  // It was received by another app than the one that it was for.
  void went_elsewhere() { end_["delivered"] = "elsewhere"; }
  void ended(const Result<Outcome>& outcome);

 private:
  void begin(Json body);

  Journal::Record journal_;
  AuditLog* audit_;
  std::uint64_t sequence_ = 0;
  Status begun_;
  Json end_ = Json::object();
  TimePoint started_ = Clock::now();
};

// The arguments as they may be written down: every text is replaced by its length and digest.
Json redacted(const Json& arguments);

}  // namespace handrail::engine

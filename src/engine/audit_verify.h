// Whether an audit log is as it was written: any flipped bit, cut, insertion, deletion, exchange, repetition or missing
// file is found, with its place. Reads only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/audit_head.h"

namespace handrail::engine {

struct AuditFinding {
  std::string file;
  std::uint64_t line = 0;  // 0: the file as a whole
  std::string what;        // one sentence
  friend bool operator==(const AuditFinding&, const AuditFinding&) = default;
};
// "audit-2026-01-31.jsonl, line 12: …"
std::string to_text(const AuditFinding& finding);

struct AuditReport {
  std::uint64_t files = 0;
  std::uint64_t records = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t repairs = 0;           // half-written records that were taken back after a crash; no damage
  std::vector<AuditFinding> findings;  // in order; no more than kMaxFindings
  bool whole() const { return findings.empty(); }
};
inline constexpr std::size_t kMaxFindings = 100;

// The records one after the other.
class AuditChain {
 public:
  // `open_key`: the public half that signs checkpoints; empty: signatures are not looked at.
  explicit AuditChain(std::string open_key) : open_key_(std::move(open_key)) {}

  // The next line, without its end.
  void take(const std::string& file, std::uint64_t line, std::string_view text, bool ended);
  // The record that `seen` stood behind, when the head or the anchor was written.
  void expect(std::uint64_t count, std::string hash) { expected_.push_back({count, std::move(hash)}); }
  // After the last line: what is missing at the end.
  void finish(const AuditHead& head);

  AuditReport report;

 private:
  struct Expected {
    std::uint64_t count = 0;
    std::string hash;
  };
  void find(const std::string& file, std::uint64_t line, std::string what);
  void check_order(const std::string& file, std::uint64_t line, std::uint64_t sequence);
  void check_day(const std::string& file, std::uint64_t line, std::uint64_t sequence, std::string_view time);

  std::string open_key_;
  std::uint64_t last_ = 0;     // sequence number of the last record
  std::string hash_{kNoHash};  // its hash
  std::string day_;            // the latest of all records so far
  std::string misnamed_;       // the last file whose name has been told to be wrong
  bool lost_ = false;          // the line before was no record, so that nothing can be said of what it was
  std::vector<Expected> expected_;
};

// Takes the log's lock for the moment in which it notes how far the log goes.
Result<AuditReport> verify_audit(const std::string& folder, const std::string& key_file);

}  // namespace handrail::engine

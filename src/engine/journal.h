// What was asked, how it was judged and what came of it, in order. Watches; cannot veto. Texts that
// were typed or copied are not in it.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "catalog/action_spec.h"
#include "model/outcome.h"
#include "policy/verdict.h"

namespace handrail::engine {

struct JournalEntry {
  std::uint64_t sequence = 0;
  std::string action;
  std::string refused_by;  // the gate, when one did
  std::string plan;        // summary without secrets; empty when nothing was planned
  std::string result;      // effect or error code; empty while the call runs
  double took_ms = 0;
};

class Journal {
 public:
  // One call's record; closes itself as "abandoned" when the call ends without a result.
  class Record {
   public:
    Record(Journal& journal, std::string action);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    void ruled(const policy::Ruling& ruling);
    void planned(const Plan& plan);
    void ended(const Result<Outcome>& outcome);

   private:
    Journal& journal_;
    JournalEntry entry_;
    TimePoint started_ = Clock::now();
  };

  // The latest entries, oldest first.
  std::vector<JournalEntry> entries() const;

 private:
  void append(JournalEntry entry);

  static constexpr std::size_t kKept = 1000;
  mutable std::mutex mutex_;
  std::deque<JournalEntry> entries_;
  std::uint64_t next_ = 1;
};

}  // namespace handrail::engine

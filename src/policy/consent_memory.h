// What a person has said no to, so that asking again and again gets an agent nowhere. Pure: the caller brings the time.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "policy/consent.h"

namespace handrail::policy {

struct ConsentLimits {
  Millis same{60000};         // the same thing is not asked again for so long after a no
  int most_refusals = 3;      // after so many of them, whatever they were about,
  Millis refusals_in{60000};  // in so long,
  Millis silence{120000};     // nothing is asked for so long
};

class ConsentMemory {
 public:
  explicit ConsentMemory(ConsentLimits limits = {}) : limits_(limits) {}

  // Why this must not be asked now; nothing when it may. Another reason does not make it another question.
  std::optional<std::string> hushed(const ConsentQuestion& question, TimePoint now);
  void refused(const ConsentQuestion& question, TimePoint now);

 private:
  struct Refusal {
    std::string subject;
    TimePoint at;
  };
  void forget(TimePoint now);

  ConsentLimits limits_;
  std::deque<Refusal> refusals_;  // oldest first
  std::optional<TimePoint> silent_until_;
};

// One question at a time for one person. Safe from several threads: the others wait, and what was refused meanwhile is
// refused to them as well.
class ConsentDesk {
 public:
  explicit ConsentDesk(ConsentLimits limits = {}) : memory_(limits) {}

  ConsentAnswer ask(const std::vector<Approver*>& approvers, const ConsentQuestion& question, Millis patience,
                    std::stop_token stop);

 private:
  std::timed_mutex asking_;
  ConsentMemory memory_;
};

}  // namespace handrail::policy

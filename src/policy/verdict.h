// What a gate says: the strictest of all verdicts wins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace handrail::policy {

// Ordered: allow < ask < deny.
enum class Judgement { allow, ask, deny };

struct Verdict {
  Judgement judgement = Judgement::allow;
  Code code = Code::gate_refused;  // of the refusal, so that a caller knows what to do
  std::string reason;
  std::string hint;  // the next step; the error row's own when empty
};

inline Verdict allow() { return {}; }
// Refused unless a person agrees to this one act.
Verdict ask(std::string reason, std::string hint = {});
Verdict deny(Code code, std::string reason, std::string hint = {});

// A gate is a name and a pure function from facts to a verdict. It never acts, waits or logs.
template <class Facts>
struct Gate {
  std::string_view name;
  Verdict (*judge)(const Facts& facts);
};

// What all gates said together.
struct Ruling {
  std::string_view gate;  // the one that decided; empty when all allowed
  Verdict verdict;
  bool allowed() const { return verdict.judgement == Judgement::allow; }
};

// The refusal as an error: nothing was done. An `ask` that nobody said yes to is one too.
Error refusal(const Ruling& ruling);

}  // namespace handrail::policy

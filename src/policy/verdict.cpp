#include "policy/verdict.h"

namespace handrail::policy {

Verdict ask(std::string reason, std::string hint) {
  return {Judgement::ask, Code::gate_refused, std::move(reason), std::move(hint)};
}

Verdict deny(Code code, std::string reason, std::string hint) {
  return {Judgement::deny, code, std::move(reason), std::move(hint)};
}

Error refusal(const Ruling& ruling) {
  Error error = make_error(ruling.verdict.code, ruling.verdict.reason).with_hint(ruling.verdict.hint);
  error.gate = std::string(ruling.gate);
  return error;
}

}  // namespace handrail::policy

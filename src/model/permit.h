// Proof that a plan passed the gates. Acting ports demand one; only the engine's pipeline mints it,
// so that going round the gates does not compile. It brings the gates along: what sends events asks
// it again before each one, with who would receive that event now.
#pragma once

#include <functional>
#include <utility>

#include "base/result.h"
#include "model/event.h"

namespace handrail {

namespace engine {
class PermitMint;
}

class Permit {
 public:
  // Called on any thread, quick, and never for longer than a desktop may be held up.
  using Judge = std::function<Status(const InputEvent& event)>;

  Permit(Permit&& other) noexcept : judge_(std::move(other.judge_)) {}
  Permit& operator=(Permit&&) = delete;
  Permit(const Permit&) = delete;

  // An error is a refusal: the event must not be sent, and nothing after it.
  Status judge(const InputEvent& event) const { return judge_ ? judge_(event) : Status(); }

 private:
  // Not `= default`: a defaulted constructor would leave the type an aggregate that anyone can brace.
  explicit Permit(Judge judge) : judge_(std::move(judge)) {}
  Judge judge_;
  friend class engine::PermitMint;
};

}  // namespace handrail

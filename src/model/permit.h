// Proof that a plan passed the gates. Acting ports demand one; only the engine's pipeline mints it,
// so that going round the gates does not compile.
#pragma once

namespace handrail {

namespace engine {
class PermitMint;
}

class Permit {
 public:
  Permit(Permit&&) noexcept {}
  Permit& operator=(Permit&&) = delete;
  Permit(const Permit&) = delete;

 private:
  // Not `= default`: a defaulted constructor would leave the type an aggregate that anyone can brace.
  Permit() {}
  friend class engine::PermitMint;
};

}  // namespace handrail

// Permits for tests of ports. Programs that link the engine use the engine's own mint instead.
#pragma once

#include "model/permit.h"

namespace handrail::engine {

class PermitMint {
 public:
  static Permit mint(Permit::Judge judge = nullptr) { return Permit(std::move(judge)); }
};

}  // namespace handrail::engine

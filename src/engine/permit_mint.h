// The only maker of permits. Included by one file: the one that judges the time-of-use gates.
#pragma once

#include "model/permit.h"

namespace handrail::engine {

class CallContext;

class PermitMint {
 private:
  static Permit mint(Permit::Judge judge) { return Permit(std::move(judge)); }
  friend class CallContext;
};

}  // namespace handrail::engine

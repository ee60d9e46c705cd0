// All actions, by name. Put together once, at the start of the program.
#pragma once

#include <span>
#include <vector>

#include "catalog/action_spec.h"

namespace handrail::catalog {

class Catalog {
 public:
  explicit Catalog(std::vector<std::span<const ActionSpec>> groups);

  std::span<const ActionSpec* const> all() const { return specs_; }
  // `action_unknown` with the nearest name when there is no such action.
  Result<const ActionSpec*> find(std::string_view name) const;
  // Finds and decodes in one step.
  Result<ActionCall> call(std::string_view name, Json params) const;

 private:
  std::vector<const ActionSpec*> specs_;
};

}  // namespace handrail::catalog

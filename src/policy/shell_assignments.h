// Variables that are set by commands and not by name=value: read, mapfile, printf -v, for … in, set --.
#pragma once

#include <cstddef>
#include <string_view>

#include "policy/shell_variables.h"

namespace handrail::policy {

class ShellAssignments {
 public:
  // Looks through what has come to the view since the last time. Linear over all calls for one view.
  void learn(std::string_view view, ShellVariables& variables);

 private:
  std::size_t learned_ = 0;  // everything before was looked at
  std::size_t pending_ = 0;  // where a command stands that was not complete
  int attempts_ = 0;         // at that one
};

}  // namespace handrail::policy

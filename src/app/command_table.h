// All commands of the program, in one table: main runs them, completion and the manual page are read from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/verbs.h"

namespace handrail::app {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(std::span<const std::string> arguments);
  Options (*options)() = nullptr;  // of a command without verbs
  Verbs (*verbs)() = nullptr;
};

std::span<const Command> commands();

}  // namespace handrail::app

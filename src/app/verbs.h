// Commands that take a verb: `handrail desktop start`. One table a command, one way to read it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "front/cli/options.h"

namespace handrail::app {

struct Verb {
  std::string_view name;
  std::string_view usage;
  std::string_view summary;
  std::vector<cli::Option> options;
  std::string_view examples;
  Result<int> (*run)(const cli::Parsed& parsed);
  std::size_t words = 0;  // how many it takes besides options
};

// What may follow the name of a command; completion and the manual read it.
using Options = const std::vector<cli::Option>&;
using Verbs = const std::vector<Verb>&;

// What a command with verbs says of itself.
std::string verb_help(std::string_view command, std::string_view about, Verbs verbs, std::string_view examples = {});

// Parses the words of a command, prints `help` when it is asked for, and else runs it. `usage` as of a verb, behind
// `handrail`. The exit code.
int run_command(std::span<const std::string> arguments, Options options, std::string_view usage,
                const std::string& help, Result<int> (*run)(const cli::Parsed& parsed), std::size_t words = 0);

// Runs the verb that the first word names, or prints a help text, or fails with the nearest verb. The exit code.
int run_verb(std::string_view command, const std::vector<Verb>& verbs, const std::string& help,
             std::span<const std::string> arguments);

}  // namespace handrail::app

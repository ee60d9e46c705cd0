// `handrail completion`: scripts for shells. They ask the program itself what may come next, so that they never lag
// behind it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/verbs.h"

namespace handrail::app {

int completion_command(std::span<const std::string> arguments);
Verbs completion_verbs();

// Called by the scripts with the words so far, the last one unfinished; prints a candidate and what it is a line.
inline constexpr std::string_view kCompleteCommand = "--complete";
int complete_command(std::span<const std::string> arguments);

struct Candidate {
  std::string word;
  std::string about;
};
std::vector<Candidate> complete(std::span<const std::string> words);

}  // namespace handrail::app

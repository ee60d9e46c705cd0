// `handrail do ACTION [flags]`: one action of the catalog from the command line.
#pragma once

#include <span>
#include <stop_token>
#include <string>

#include "catalog/catalog.h"
#include "engine/action_runner.h"
#include "front/cli/options.h"

namespace handrail::cli {

// What was asked, before any desktop is needed.
struct DoRequest {
  catalog::ActionCall call;
  bool json = false;
  std::string save;  // where pictures go
};

// Help text when the arguments ask for it, else the request.
struct DoParsed {
  std::string help;
  DoRequest request;
};

Result<DoParsed> parse_do(const catalog::Catalog& catalog, std::span<const std::string> arguments);

// Runs it and prints the outcome. The result is the exit code.
int run_do(engine::ActionRunner& runner, const DoRequest& request, std::stop_token stop);

// All flags of an action, those that every action has included.
std::vector<Option> do_options_of(const catalog::ActionSpec& spec);

// The list of all actions, by category.
std::string do_help(const catalog::Catalog& catalog);

}  // namespace handrail::cli

// `handrail do ACTION [flags]`: one action of the catalog from the command line.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "catalog/catalog.h"
#include "engine/action_runner.h"
#include "front/cli/options.h"
#include "surface/native.h"

namespace handrail::cli {

// What was asked, before any desktop is needed.
struct DoRequest {
  catalog::ActionCall call;
  std::optional<surface::Vendor> as;  // whose model made the call: its coordinates are of a screenshot
  bool json = false;
  std::string save;  // where pictures go
};

// Help text when the arguments ask for it, else the request.
struct DoParsed {
  std::string help;
  DoRequest request;
};

// `beside`: options that stand elsewhere on the same command line; a mistyped one of them is told as such.
Result<DoParsed> parse_do(const catalog::Catalog& catalog, std::span<const std::string> arguments,
                          std::span<const Option> beside = {});

// Prints an error as the JSON that run_do prints for a call that failed. The exit code.
int print_failure(const Error& error);

// The words after `handrail do` that stand for a call of the action with these params.
std::vector<std::string> do_words(const catalog::ActionSpec& spec, const Json& params);

// Runs it and prints the outcome. The result is the exit code.
int run_do(engine::ActionRunner& runner, const DoRequest& request, std::stop_token stop);

// All flags of an action, those that every action has included.
std::vector<Option> do_options_of(const catalog::ActionSpec& spec);

// An example's JSON as the command line that says the same.
std::string example_line(const catalog::ActionSpec& spec, const catalog::Example& example);

// The list of all actions, by category.
std::string do_help(const catalog::Catalog& catalog);

}  // namespace handrail::cli

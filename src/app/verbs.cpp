#include "app/verbs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "base/nearest.h"

namespace handrail::app {
namespace {

int run(std::string_view command, const Verb& verb, std::span<const std::string> arguments) {
  const Result<cli::Parsed> parsed = cli::parse_options(arguments, verb.options);
  if (!parsed.ok()) return fail(parsed.error());
  if (parsed->has("help")) {
    fmt::print("handrail {} {}: {}\n\nOptions:\n{}\nExamples:\n{}", command, verb.usage, verb.summary,
               cli::option_help(verb.options), verb.examples);
    return 0;
  }
  const Result<int> code = verb.run(*parsed);
  return code.ok() ? *code : fail(code.error());
}

}  // namespace

std::string verb_help(std::string_view command, std::string_view about, Verbs verbs, std::string_view examples) {
  std::string text = fmt::format("handrail {} VERB: {}\n\nVerbs:\n", command, about);
  std::size_t width = 0;
  for (const Verb& verb : verbs) width = std::max(width, verb.name.size());
  for (const Verb& verb : verbs) text += fmt::format("  {:<{}} {}\n", verb.name, width, verb.summary);
  text += fmt::format("\nhandrail {} VERB --help says more.\n", command);
  return examples.empty() ? text : fmt::format("{}\nExamples:\n{}", text, examples);
}

int run_verb(std::string_view command, const std::vector<Verb>& verbs, const std::string& help,
             std::span<const std::string> arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    fmt::print("{}", help);
    return 0;
  }
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) {
    if (arguments[0] == verb.name) return run(command, verb, arguments.subspan(1));
    names.push_back(verb.name);
  }
  const std::string_view close = nearest(arguments[0], names);
  return fail(make_error(Code::argument_invalid, fmt::format("There is no `handrail {} {}`.", command, arguments[0]))
                  .with_hint(close.empty() ? fmt::format("See handrail {} --help.", command)
                                           : fmt::format("Did you mean `{}`?", close)));
}

}  // namespace handrail::app

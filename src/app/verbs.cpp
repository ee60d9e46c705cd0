#include "app/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/commands.h"
#include "base/nearest.h"

namespace handrail::app {
namespace {

int run(std::string_view command, const Verb& verb, std::span<const std::string> arguments) {
  const std::string usage = fmt::format("{} {}", command, verb.usage);
  const std::string options = verb.options.empty() ? "" : fmt::format("Options:\n{}\n", cli::option_help(verb.options));
  const std::string help =
      fmt::format("handrail {}: {}\n\n{}Examples:\n{}", usage, verb.summary, options, verb.examples);
  return run_command(arguments, verb.options, usage, help, verb.run, verb.words);
}

struct OtherWay {
  std::string_view command;
  std::string_view verb;
  std::string_view hint;
};

constexpr std::string_view kToGrant =
    "An agent asks for an app, and you answer. To grant beforehand: --grant APP:TIER with `handrail mcp` or `handrail "
    "do`, or `grants` in the file that `handrail config path` names.";
constexpr std::string_view kToSet =
    "Edit the file that `handrail config path` names; `handrail config default` shows what can stand there, and "
    "`handrail config check` reads it.";

// What people try, and how it is done.
constexpr std::array kOtherWays{
    OtherWay{"grants", "add", kToGrant}, OtherWay{"grants", "grant", kToGrant}, OtherWay{"grants", "set", kToGrant},
    OtherWay{"config", "set", kToSet},   OtherWay{"config", "edit", kToSet},    OtherWay{"config", "get", kToSet},
};

std::string hint_for(std::string_view command, const std::string& given, std::span<const std::string_view> names) {
  for (const OtherWay& way : kOtherWays) {
    if (way.command == command && way.verb == given) return std::string(way.hint);
  }
  const std::string_view close = nearest(given, names);
  if (!close.empty()) return fmt::format("Did you mean `{}`?", close);
  return fmt::format("It takes {}; see handrail {} --help.", join_or(names), command);
}

}  // namespace

int run_command(std::span<const std::string> arguments, Options options, std::string_view usage,
                const std::string& help, Result<int> (*run)(const cli::Parsed& parsed), std::size_t words) {
  const Result<cli::Parsed> parsed = cli::parse_options(arguments, options);
  if (!parsed.ok()) return fail(parsed.error());
  if (parsed->has("help")) {
    fmt::print("{}", help);
    return 0;
  }
  if (const Status known = cli::check_words(*parsed, words, usage); !known.ok()) return fail(known.error());
  const Result<int> code = run(*parsed);
  return code.ok() ? *code : fail(code.error());
}

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
    // `handrail config help set` is as good as `handrail config set --help`.
    if (arguments.size() > 1 && arguments[0] == "help") {
      const std::vector<std::string> turned{arguments[1], "--help"};
      return run_verb(command, verbs, help, turned);
    }
    fmt::print("{}", help);
    return 0;
  }
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) {
    if (arguments[0] == verb.name) return run(command, verb, arguments.subspan(1));
    names.push_back(verb.name);
  }
  return fail(make_error(Code::argument_invalid, fmt::format("There is no `handrail {} {}`.", command, arguments[0]))
                  .with_hint(hint_for(command, arguments[0], names)));
}

}  // namespace handrail::app

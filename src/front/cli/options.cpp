#include "front/cli/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace handrail::cli {
Error unknown_option(std::string_view name, std::span<const Option> options) {
  std::vector<std::string_view> names;
  for (const Option& option : options) names.push_back(option.name);
  Error error = make_error(Code::argument_invalid, fmt::format("There is no option --{}.", name));
  const auto close = nearest(name, names);
  error.hint = close.empty() ? "See --help for the options." : fmt::format("Did you mean --{}?", close);
  return error;
}

Status check_words(const Parsed& parsed, std::size_t most, std::string_view usage) {
  // Asking for help is no mistake, whatever stands beside it.
  if (parsed.words.size() <= most || parsed.has("help")) return {};
  return make_error(Code::argument_invalid,
                    fmt::format("`{}` is not expected here.", shortened(parsed.words[most], 60)))
      .with_hint(fmt::format("Usage: handrail {}", usage));
}

std::string Parsed::value(const std::string& name, std::string fallback) const {
  const auto found = options.find(name);
  return found == options.end() || found->second.empty() ? fallback : found->second.back();
}

std::vector<std::string> Parsed::values(const std::string& name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

Result<Parsed> parse_options(std::span<const std::string> arguments, std::span<const Option> options) {
  Parsed parsed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      parsed.dashes = parsed.words.size();
      parsed.words.insert(parsed.words.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (!argument.starts_with("--")) {
      parsed.words.push_back(argument == "-h" ? "--help" : argument);
      if (argument == "-h") {
        parsed.words.pop_back();
        parsed.options["help"].emplace_back();
      }
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string given = argument.substr(2, equals == std::string::npos ? std::string::npos : equals - 2);
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& o) {
      return o.name == given || (!o.also.empty() && o.also == given);
    });
    if (given == "help") {
      parsed.options["help"].emplace_back();
      continue;
    }
    if (option == options.end()) return unknown_option(given, options);
    const std::string& name = option->name;
    if (equals != std::string::npos) {
      parsed.options[name].push_back(argument.substr(equals + 1));
    } else if (option->value.empty()) {
      parsed.options[name].emplace_back();
    } else if (i + 1 < arguments.size()) {
      parsed.options[name].push_back(arguments[++i]);
    } else {
      return make_error(Code::argument_invalid, fmt::format("--{} needs a value.", name))
          .with_field(name, fmt::format("--{} {}", name, option->value));
    }
  }
  return parsed;
}

std::string option_help(std::span<const Option> options) {
  std::size_t width = 0;
  const auto left = [](const Option& option) {
    return option.value.empty() ? "--" + option.name : fmt::format("--{} {}", option.name, option.value);
  };
  for (const Option& option : options) width = std::max(width, left(option).size());
  std::string text;
  for (const Option& option : options) text += fmt::format("  {:<{}}  {}\n", left(option), width, option.doc);
  return text;
}

}  // namespace handrail::cli

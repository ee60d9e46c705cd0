// Command line options from a table: parsing, help and the nearest name for a mistyped one.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace handrail::cli {

struct Option {
  std::string name;   // without the dashes
  std::string value;  // what to call its value in the help; empty for a switch
  std::string doc;
  std::string also = {};  // another name that is taken for it; not in the help
};

struct Parsed {
  std::map<std::string, std::vector<std::string>> options;  // a switch holds one empty text
  std::vector<std::string> words;                           // everything else, in order
  std::optional<std::size_t> dashes = {};                   // how many words stood before `--`, when it was given

  bool has(const std::string& name) const { return options.contains(name); }
  // The last one given, or the fallback.
  std::string value(const std::string& name, std::string fallback = {}) const;
  std::vector<std::string> values(const std::string& name) const;
};

// `--name value`, `--name=value`, `--switch`; `--` ends the options. Unknown ones are
// `argument_invalid` with the nearest name.
Result<Parsed> parse_options(std::span<const std::string> arguments, std::span<const Option> options);

constexpr std::size_t kAnyWords = static_cast<std::size_t>(-1);

// A word that a command does not take is a mistake to be told, not to be passed over. `usage`: "desktop list
// [options]", behind `handrail`.
Status check_words(const Parsed& parsed, std::size_t most, std::string_view usage);

// That there is no such option, with the nearest one.
Error unknown_option(std::string_view name, std::span<const Option> options);

// Two aligned columns.
std::string option_help(std::span<const Option> options);

}  // namespace handrail::cli

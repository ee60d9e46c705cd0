// Command line options from a table: parsing, help and the nearest name for a mistyped one.
#pragma once

#include <map>
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
};

struct Parsed {
  std::map<std::string, std::vector<std::string>> options;  // a switch holds one empty text
  std::vector<std::string> words;                           // everything else, in order

  bool has(const std::string& name) const { return options.contains(name); }
  // The last one given, or the fallback.
  std::string value(const std::string& name, std::string fallback = {}) const;
  std::vector<std::string> values(const std::string& name) const;
};

// `--name value`, `--name=value`, `--switch`; `--` ends the options. Unknown ones are
// `argument_invalid` with the nearest name.
Result<Parsed> parse_options(std::span<const std::string> arguments, std::span<const Option> options);

// Two aligned columns.
std::string option_help(std::span<const Option> options);

}  // namespace handrail::cli

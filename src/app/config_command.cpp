#include "app/config_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include "app/config.h"
#include "app/config_text.h"
#include "base/one_line.h"

namespace handrail::app {
namespace {

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

std::string file_of(const cli::Parsed& parsed) { return parsed.words.empty() ? config_path() : parsed.words[0]; }

Result<int> show(const cli::Parsed& parsed) {
  const Config config = TRY(load_config(config_path()));
  Json values = describe::encode(config);
  // Named without a tier it has what its kind of app can have; a tier that is written down could give more.
  for (std::size_t i = 0; i < config.grants.size(); ++i) {
    if (config.grants[i].by_category) values["grants"][i].erase("tier");
  }
  if (parsed.has("json")) {
    fmt::print("{}", to_pretty(values));
    return 0;
  }
  fmt::print("# {}{}\n", config_path(), is_there(config_path()) ? "" : " (not there: these are the defaults)");
  fmt::print("{}", settings_text(config_schema(), values, false));
  return 0;
}

Result<int> check(const cli::Parsed& parsed) {
  const std::string path = file_of(parsed);
  if (!parsed.words.empty() && !is_there(path)) {
    return make_error(Code::not_found, fmt::format("There is no file {}.", path));
  }
  const Config config = TRY(load_config(path));
  const std::string off = off_by_settings(config);
  if (!is_there(path)) {
    fmt::print("There is no {}; the defaults hold.\n", path);
  } else {
    fmt::print("{} is fine.{}\n", path, off.empty() ? "" : " It switches Handrail off.");
  }
  for (const std::string& doubt : config_doubts(config)) fmt::print("warning: {}\n", one_line(doubt));
  return 0;
}

Result<int> path(const cli::Parsed&) {
  fmt::print("{}\n", config_path());
  return 0;
}

Result<int> print_default(const cli::Parsed&) {
  fmt::print(
      "# Settings of Handrail. Everything is optional, and what is written here is what holds without it: take the # "
      "away "
      "from a\n# line to change it. `handrail config check` reads the file.\n\n{}",
      settings_text(config_schema(), describe::encode(Config()), true));
  return 0;
}

}  // namespace

Verbs config_verbs() {
  static const std::vector<Verb> all{
      {"show",
       "show [options]",
       "Print the settings that hold now.",
       {{"json", "", "Print them as JSON."}},
       "  handrail config show\n",
       show},
      {"check",
       "check [FILE]",
       "Read the settings and say what is wrong with them.",
       {},
       "  handrail config check\n  handrail config check new.toml\n",
       check,
       1},
      {"path", "path", "Print where the settings are.", {}, "  $EDITOR \"$(handrail config path)\"\n", path},
      {"default",
       "default",
       "Print a file with every setting as a comment, to begin with.",
       {},
       "  handrail config default > \"$(handrail config path)\"\n",
       print_default},
  };
  return all;
}

int config_command(std::span<const std::string> arguments) {
  return run_verb("config", config_verbs(), verb_help("config", "the owner's settings.", config_verbs()), arguments);
}

}  // namespace handrail::app

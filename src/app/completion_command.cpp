#include "app/completion_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/all.h"
#include "app/command_table.h"
#include "app/commands.h"
#include "front/cli/do_command.h"
#include "surface/tool_surface.h"

namespace handrail::app {
namespace {

constexpr std::string_view kBash =
    R"(# handrail completion bash: put into ~/.local/share/bash-completion/completions/handrail
_handrail() {
  local line
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do COMPREPLY+=("$line"); done < <(handrail --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ ${#COMPREPLY[@]} -eq 0 ]; then compopt -o default; fi
}
complete -F _handrail handrail
)";

constexpr std::string_view kZsh = R"(#compdef handrail
# handrail completion zsh: put into a folder of $fpath as _handrail
_handrail() {
  local -a found
  local word about
  while IFS=$'\t' read -r word about; do found+=("${word//:/\\:}:$about"); done < <(handrail --complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${#found} )); then _describe handrail found; else _files; fi
}
if [ "$funcstack[1]" = _handrail ]; then _handrail "$@"; else compdef _handrail handrail; fi
)";

constexpr std::string_view kFish = R"(# handrail completion fish: put into ~/.config/fish/completions/handrail.fish
function __handrail_complete
  set -l words (commandline -opc) (commandline -ct)
  handrail --complete $words[2..-1] 2>/dev/null
end
complete -c handrail -f -a '(__handrail_complete)'
)";

void add_options(std::vector<Candidate>& all, std::span<const cli::Option> options) {
  for (const cli::Option& option : options) all.push_back({"--" + option.name, option.doc});
  all.push_back({"--help", "Say more."});
}

// What the option before it takes; nothing when anything may stand there.
std::vector<Candidate> values_of(std::string_view option) {
  std::vector<Candidate> all;
  const auto take = [&all](std::span<const std::string_view> names) {
    for (const std::string_view name : names) all.push_back({std::string(name), ""});
  };
  constexpr std::array<std::string_view, 4> kLevels{"error", "warning", "info", "debug"};
  constexpr std::array<std::string_view, 3> kUnits{"pixels", "normalized_0_100", "normalized_0_1000"};
  if (option == "--surface") take(surface::kSurfaces);
  if (option == "--log-level") take(kLevels);
  if (option == "--coordinates") take(kUnits);
  return all;
}

std::vector<Candidate> after_do(std::span<const std::string> words) {
  std::vector<Candidate> all;
  const auto& catalog = actions::all_actions();
  // The desktop's own options may stand before the action.
  const catalog::ActionSpec* spec = nullptr;
  for (const std::string& word : words.first(words.size() - 1)) {
    if (const auto found = catalog.find(word); found.ok()) spec = *found;
  }
  if (spec == nullptr) {
    for (const catalog::ActionSpec* each : catalog.all())
      all.push_back({std::string(each->name), std::string(each->summary)});
    add_options(all, do_options());
    return all;
  }
  const std::string before = words.size() > 1 ? words[words.size() - 2] : "";
  for (const describe::Flag& flag : spec->flags()) {
    if ("--" + flag.name != before) continue;
    for (const std::string_view choice : flag.choices) all.push_back({std::string(choice), ""});
    if (flag.kind != describe::Kind::boolean) return all;
  }
  add_options(all, cli::do_options_of(*spec));
  add_options(all, do_options());
  return all;
}

std::vector<Candidate> after(const Command& command, std::span<const std::string> words) {
  if (command.name == "do") return after_do(words);
  std::vector<Candidate> all;
  if (command.verbs != nullptr) {
    for (const Verb& verb : command.verbs()) {
      if (words.size() == 1) all.push_back({std::string(verb.name), std::string(verb.summary)});
      if (words.size() > 1 && words[0] == verb.name) add_options(all, verb.options);
    }
  } else if (command.options != nullptr) {
    add_options(all, command.options());
  }
  return all;
}

Result<int> print(std::string_view script) {
  fmt::print("{}", script);
  return 0;
}

}  // namespace

std::vector<Candidate> complete(std::span<const std::string> words) {
  static const std::vector<std::string> nothing{""};
  if (words.empty()) words = nothing;
  const std::string& begun = words.back();
  std::vector<Candidate> all;
  if (words.size() == 1) {
    for (const Command& command : commands()) all.push_back({std::string(command.name), std::string(command.summary)});
  } else {
    if (words.size() > 2) all = values_of(words[words.size() - 2]);
    for (const Command& command : commands()) {
      if (all.empty() && words[0] == command.name) all = after(command, words.subspan(1));
    }
  }
  std::erase_if(all, [&](const Candidate& candidate) { return !candidate.word.starts_with(begun); });
  // Flags are in the way of names until one is begun.
  const bool names = std::ranges::any_of(all, [](const Candidate& each) { return !each.word.starts_with("-"); });
  if (names && begun.empty()) {
    std::erase_if(all, [](const Candidate& each) { return each.word.starts_with("-"); });
  }
  return all;
}

int complete_command(std::span<const std::string> arguments) {
  for (const Candidate& candidate : complete(arguments)) fmt::print("{}\t{}\n", candidate.word, candidate.about);
  return 0;
}

Verbs completion_verbs() {
  static const std::vector<Verb> all{
      {"bash",
       "bash",
       "For bash.",
       {},
       "  source <(handrail completion bash)\n",
       [](const cli::Parsed&) { return print(kBash); }},
      {"zsh",
       "zsh",
       "For zsh.",
       {},
       "  source <(handrail completion zsh)\n",
       [](const cli::Parsed&) { return print(kZsh); }},
      {"fish",
       "fish",
       "For fish.",
       {},
       "  handrail completion fish | source\n",
       [](const cli::Parsed&) { return print(kFish); }},
  };
  return all;
}

int completion_command(std::span<const std::string> arguments) {
  constexpr std::string_view kHelp =
      "handrail completion SHELL: prints a script for bash, zsh or fish, which completes commands, actions and flags.\n"
      "\nExamples:\n"
      "  source <(handrail completion bash)\n"
      "  handrail completion zsh > ~/.zfunc/_handrail\n"
      "  handrail completion fish > ~/.config/fish/completions/handrail.fish\n";
  return run_verb("completion", completion_verbs(), std::string(kHelp), arguments);
}

}  // namespace handrail::app

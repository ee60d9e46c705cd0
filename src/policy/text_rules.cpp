#include "policy/text_rules.h"

#include <re2/re2.h>

#include <memory>
#include <string>
#include <vector>

#include "policy/command_scan.h"
#include "policy/shell_view.h"
#include "policy/skeleton.h"

namespace handrail::policy {
namespace {

TextFinding finding_of(CommandFinding finding) {
  switch (finding) {
    case CommandFinding::download_to_interpreter:
      return {"download_to_interpreter", "running what a download brings without looking at it"};
    case CommandFinding::text_to_interpreter:
      return {"text_to_interpreter", "handing decoded or printed text to an interpreter"};
    case CommandFinding::recursive_delete: return {"recursive_delete", "deleting folders without asking"};
    case CommandFinding::fork_bomb: return {"fork_bomb", "starting processes without end"};
    case CommandFinding::raw_device_write: return {"raw_device_write", "writing to a raw device"};
    case CommandFinding::overwrite: return {"overwrite", "emptying or overwriting files"};
    case CommandFinding::git_clean: return {"git_clean", "deleting all files that git does not know"};
    case CommandFinding::open_permissions: return {"open_permissions", "changing the permissions of everything"};
    case CommandFinding::network_shell: return {"network_shell", "connecting a shell to the network"};
  }
  return {"recursive_delete", "deleting folders without asking"};
}

// Programs of other languages, by phrases without gaps: what lies between words must not matter, or time would not
// be linear in practice.
struct Phrase {
  const char* pattern;
  TextFinding finding;
};

constexpr Phrase kPhrases[] = {
    {R"(fork\s+while\s+fork|fork\s*\(\)\s+while\s+fork|(?:while|for)\s*\(?\s*(?:1|true|True|;;)\s*\)?\s*[:{]?\s*(?:os\s*\.\s*)?fork\s*\(|%0\s*\|\s*%0)"
     R"(|while\s+(?:1|True)\s*:\s*os\s*\.\s*fork)",
     {"fork_bomb", "starting processes without end"}},
    {R"((?:rmtree|rmSync|rmdirSync|remove_tree|rm_rf|rm_r)\s*\(?\s*(?:os\.path\.expanduser\(|Path\.home\(|os\.homedir\()?\s*[/~]\*?\s*[),]|rmtree\s*\(\s*Path\.home\()",
     {"recursive_delete", "deleting folders without asking"}},
    {R"((?:exec|eval|system)\s*\(\s*(?:zlib\.decompress\(|compile\()?\s*(?:__import__\(\s*)?(?:base64\.b64decode|codecs\.decode|atob|base64_decode|base64\)\.b64decode|bytes\.fromhex|Buffer\.from)\b)",
     {"text_to_interpreter", "handing decoded or printed text to an interpreter"}},
    {R"((?i:(?:exec|eval|iex|invoke-expression)\s*\(?\s*\(?\s*(?:urllib\.request\.urlopen|requests\.get|urlopen|file_get_contents\(http|new-object\s+(?:system\.)?net\.webclient|\(new-object\s+(?:system\.)?net\.webclient|iwr|irm|curl|wget)\b))",
     {"download_to_interpreter", "running what a download brings without looking at it"}},
};

struct Patterns {
  RE2 any;
  std::vector<std::unique_ptr<RE2>> each;
};

RE2::Options options() {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(16 << 20);
  return options;
}

const Patterns& patterns() {
  static const Patterns* const made = [] {
    std::string all;
    for (const Phrase& phrase : kPhrases) all += (all.empty() ? "(?:" : "|(?:") + std::string(phrase.pattern) + ")";
    auto* patterns = new Patterns{RE2(all, options()), {}};
    for (const Phrase& phrase : kPhrases) patterns->each.push_back(std::make_unique<RE2>(phrase.pattern, options()));
    return patterns;
  }();
  return *made;
}

std::optional<TextFinding> find_phrase(std::string_view view) {
  const Patterns& rules = patterns();
  const re2::StringPiece text(view.data(), view.size());
  if (!RE2::PartialMatch(text, rules.any)) return {};
  for (std::size_t i = 0; i < rules.each.size(); ++i) {
    if (RE2::PartialMatch(text, *rules.each[i])) return kPhrases[i].finding;
  }
  return {};
}

}  // namespace

std::optional<TextFinding> find_forbidden(std::string_view text) {
  const Skeleton skeleton = skeleton_of(text);
  if (skeleton.control) return TextFinding{"control_character", "control characters, which act instead of being text"};
  const ShellView view = shell_view(skeleton.text);
  if (view.overflow) return TextFinding{"hidden_command", "text that grows without bound when a shell reads it"};
  if (const auto found = scan_commands(view.text)) return finding_of(*found);
  return find_phrase(view.text);
}

}  // namespace handrail::policy

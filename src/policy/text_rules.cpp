#include "policy/text_rules.h"

#include "policy/command_scan.h"
#include "policy/phrase_rules.h"
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

}  // namespace

std::optional<TextFinding> find_forbidden(std::string_view text) {
  const Skeleton skeleton = skeleton_of(text);
  if (skeleton.control) return TextFinding{"control_character", "control characters, which act instead of being text"};
  const ShellView view = shell_view(skeleton.text);
  if (view.overflow) return TextFinding{"hidden_command", "text that grows without bound when a shell reads it"};
  if (const auto found = scan_commands(view.text.view())) return finding_of(*found);
  return find_phrase(view.text.view());
}

}  // namespace handrail::policy

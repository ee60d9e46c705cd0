// Looks for destructive commands in a shell view, word by word, in one pass: what a command line has gathered so far
// is a few bits, so that no length, order or padding gets round it. Knows commands, not disguises.
#pragma once

#include <optional>
#include <string_view>

namespace handrail::policy {

enum class CommandFinding {
  download_to_interpreter,
  text_to_interpreter,
  recursive_delete,
  fork_bomb,
  raw_device_write,
  overwrite,
  git_clean,
  open_permissions,
  network_shell,
};

std::optional<CommandFinding> scan_commands(std::string_view view);

}  // namespace handrail::policy

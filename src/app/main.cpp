// The composition root: reads the first word and hands over to its command.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "actions/all.h"
#include "app/command_table.h"
#include "app/commands.h"
#include "app/completion_command.h"
#include "app/consent_dialog.h"
#include "base/nearest.h"

namespace {

using Arguments = std::span<const std::string>;
using handrail::app::Command;

std::string help() {
  std::string text = "handrail: a safe pair of hands on a Linux desktop, for AI agents.\n\nCommands:\n";
  for (const Command& command : handrail::app::commands())
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  return text +
         "\nhandrail COMMAND --help says more.\n"
         "\nExamples:\n"
         "  handrail desktop start                        a desktop of its own, on no screen\n"
         "  handrail mcp --desktop embedded               an MCP server with a new desktop\n"
         "  claude mcp add handrail -- handrail mcp       connect Claude Code\n"
         "  handrail do screenshot --save screen.png\n";
}

// What was meant by a word that is no command. People leave out the `do` before an action.
std::string meant_by(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Command& command : handrail::app::commands()) names.push_back(command.name);
  const std::size_t commands = names.size();
  for (const auto* spec : handrail::actions::all_actions().all()) names.push_back(spec->name);
  const auto close = handrail::nearest(word, names);
  if (close.empty()) return "See handrail --help.";
  const bool action = std::find(names.begin(), names.end(), close) - names.begin() >= static_cast<long>(commands);
  return fmt::format("Did you mean `{}{}`?", action ? "handrail do " : "", close);
}

// A descriptor that the caller closed would be taken by the next open file, which then gets our output.
void fill_standard_descriptors() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
    if (fd > STDERR_FILENO) {
      ::close(fd);
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_descriptors();
  std::vector<std::string> arguments(argv + 1, argv + argc);
  // `handrail help do` asks for `handrail do --help`.
  if (arguments.size() > 1 && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    fmt::print("{}", help());
    return 0;
  }
  // Started by the server itself; not for people.
  if (arguments[0] == handrail::app::kConsentDialogCommand) {
    return handrail::app::consent_dialog_command(Arguments(arguments).subspan(1));
  }
  // Asked by shells.
  if (arguments[0] == handrail::app::kCompleteCommand) {
    return handrail::app::complete_command(Arguments(arguments).subspan(1));
  }
  for (const Command& command : handrail::app::commands()) {
    const bool meant = arguments[0] == command.name || arguments[0] == fmt::format("--{}", command.name);
    if (meant) return command.run(Arguments(arguments).subspan(1));
  }
  return handrail::app::fail(
      handrail::make_error(handrail::Code::argument_invalid, fmt::format("There is no command `{}`.", arguments[0]))
          .with_hint(meant_by(arguments[0])));
}

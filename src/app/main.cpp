// The composition root: reads the first word and hands over to its command.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "app/apps_command.h"
#include "app/audit_command.h"
#include "app/commands.h"
#include "app/consent_dialog.h"
#include "app/desktop_command.h"
#include "app/grants_command.h"
#include "app/guardian_command.h"
#include "app/setup_command.h"
#include "app/switch_command.h"
#include "base/nearest.h"
#include "base/version.h"

namespace {

using Arguments = std::span<const std::string>;

int version_command(Arguments) {
  fmt::print("handrail {}\n", handrail::kVersion);
  return 0;
}

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(Arguments);
};

constexpr std::array kCommands{
    Command{"mcp", "Serve MCP on standard input and output.", handrail::app::mcp_command},
    Command{"do", "Run one action on the desktop.", handrail::app::do_command},
    Command{"desktop", "Start, stop and list embedded desktops, or run a command in one.",
            handrail::app::desktop_command},
    Command{"stop", "Stop all agents at once, until `handrail resume`.", handrail::app::stop_command},
    Command{"resume", "Let agents go on after a stop.", handrail::app::resume_command},
    Command{"status", "Which servers run, on which desktops, and whether they are stopped.",
            handrail::app::status_command},
    Command{"grants", "List and revoke what was granted for good.", handrail::app::grants_command},
    Command{"apps", "Explain what an agent can be granted of an app.", handrail::app::apps_command},
    Command{"audit", "Read, follow, verify and export the record of all calls.", handrail::app::audit_command},
    Command{"guardian", "Which guardians run and what they hold.", handrail::app::guardian_command},
    Command{"schema", "Print the tools, actions, errors or settings as JSON.", handrail::app::schema_command},
    Command{"setup", "Switch accessibility on in your session, or put back what it was.", handrail::app::setup_command},
    Command{"doctor", "Check what works here, with the fix for what does not.", handrail::app::doctor_command},
    Command{"version", "Print the version.", version_command},
};

std::string help() {
  std::string text = "handrail: a safe pair of hands on a Linux desktop, for AI agents.\n\nCommands:\n";
  for (const Command& command : kCommands) text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  return text +
         "\nhandrail COMMAND --help says more.\n"
         "\nExamples:\n"
         "  handrail desktop start                        a desktop of its own, on no screen\n"
         "  handrail mcp --desktop embedded               an MCP server with a new desktop\n"
         "  claude mcp add handrail -- handrail mcp       connect Claude Code\n"
         "  handrail do screenshot --save screen.png\n";
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
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    fmt::print("{}", help());
    return 0;
  }
  // Started by the server itself; not for people.
  if (arguments[0] == handrail::app::kConsentDialogCommand) {
    return handrail::app::consent_dialog_command(Arguments(arguments).subspan(1));
  }
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) {
    const bool meant = arguments[0] == command.name || arguments[0] == fmt::format("--{}", command.name);
    if (meant) return command.run(Arguments(arguments).subspan(1));
    names.push_back(command.name);
  }
  const auto close = handrail::nearest(arguments[0], names);
  return handrail::app::fail(
      handrail::make_error(handrail::Code::argument_invalid, fmt::format("There is no command `{}`.", arguments[0]))
          .with_hint(close.empty() ? "See handrail --help." : fmt::format("Did you mean `{}`?", close)));
}

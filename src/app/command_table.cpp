#include "app/command_table.h"

#include <fmt/format.h>

#include <array>

#include "app/apps_command.h"
#include "app/audit_command.h"
#include "app/commands.h"
#include "app/completion_command.h"
#include "app/config_command.h"
#include "app/desktop_command.h"
#include "app/grants_command.h"
#include "app/guardian_command.h"
#include "app/man_command.h"
#include "app/setup_command.h"
#include "app/switch_command.h"
#include "app/watch_command.h"
#include "base/version.h"

namespace handrail::app {
namespace {

int version_command(std::span<const std::string> arguments) {
  return run_command(arguments, {}, "version", "handrail version: prints the version.\n",
                     [](const cli::Parsed&) -> Result<int> {
                       fmt::print("handrail {}\n", kVersion);
                       return 0;
                     });
}

constexpr std::array kCommands{
    Command{"mcp", "Serve MCP on standard input and output.", mcp_command, mcp_options},
    Command{"do", "Run one action on the desktop.", do_command, do_options},
    Command{"watch", "Show windows, focus and what agents do, as it happens.", watch_command, watch_options},
    Command{"desktop", "Start, stop and list embedded desktops, or run a command in one.", desktop_command, nullptr,
            desktop_verbs},
    Command{"stop", "Stop all agents at once, until `handrail resume`.", stop_command, stop_options},
    Command{"resume", "Let agents go on after a stop.", resume_command, resume_options},
    Command{"status", "Which servers run, on which desktops, and whether they are stopped.", status_command,
            status_options},
    Command{"grants", "List and revoke what was granted for good.", grants_command, nullptr, grants_verbs},
    Command{"apps", "Explain what an agent can be granted of an app.", apps_command, nullptr, apps_verbs},
    Command{"audit", "Read, follow, verify and export the record of all calls.", audit_command, nullptr, audit_verbs},
    Command{"config", "Show and check the settings, and where they are.", config_command, nullptr, config_verbs},
    Command{"guardian", "Which guardians run and what they hold.", guardian_command, nullptr, guardian_verbs},
    Command{"schema", "Print the tools, actions, errors or settings as JSON.", schema_command, schema_options},
    Command{"setup", "Switch accessibility on in your session, or put back what it was.", setup_command, setup_options},
    Command{"doctor", "Check what works here, with the fix for what does not.", doctor_command, doctor_options},
    Command{"completion", "Print what makes your shell complete handrail commands.", completion_command, nullptr,
            completion_verbs},
    Command{"man", "Print the manual page.", man_command},
    Command{"version", "Print the version.", version_command},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace handrail::app

// The commands of the program. Each takes the words after its name and returns the exit code.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"
#include "base/error.h"

namespace handrail::app {

int mcp_command(std::span<const std::string> arguments);
int do_command(std::span<const std::string> arguments);
int schema_command(std::span<const std::string> arguments);
int doctor_command(std::span<const std::string> arguments);

Options mcp_options();
// Which desktop; the action has its own beside them.
Options do_options();
Options schema_options();
Options doctor_options();

// Prints the error for a person and gives the exit code of its row.
int fail(const Error& error);

}  // namespace handrail::app

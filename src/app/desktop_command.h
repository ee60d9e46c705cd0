// `handrail desktop`: embedded desktops from the command line.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"

namespace handrail::app {

// The words after "desktop"; returns the exit code. `supervise`, which start uses to run this program
// again, goes into the background and is not for people.
int desktop_command(std::span<const std::string> arguments);
Verbs desktop_verbs();

}  // namespace handrail::app

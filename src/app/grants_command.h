// `handrail grants`: what was granted until it is revoked, and taking it back.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"

namespace handrail::app {

// The words after "grants"; returns the exit code.
int grants_command(std::span<const std::string> arguments);
Verbs grants_verbs();

}  // namespace handrail::app

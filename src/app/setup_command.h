// `handrail setup`: makes a person's session show its elements, says what that takes of apps that run already, and puts
// back what it changed.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"

namespace handrail::app {

int setup_command(std::span<const std::string> arguments);
Options setup_options();

}  // namespace handrail::app

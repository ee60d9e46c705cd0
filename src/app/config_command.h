// `handrail config`: the owner's settings, where they are, and whether they can be read.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"

namespace handrail::app {

int config_command(std::span<const std::string> arguments);
Verbs config_verbs();

}  // namespace handrail::app

// `handrail guardian`: the process that undoes what a server that died had done, and what such processes hold.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "computer/restorer.h"

namespace handrail::app {

int guardian_command(std::span<const std::string> arguments);

// Everything that a guardian can restore on an X display.
std::unique_ptr<Restorer> make_desk_restorer();

}  // namespace handrail::app

// `handrail guardian`: the process that undoes what a server that died had done, and what such processes hold.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "app/verbs.h"
#include "computer/restorer.h"

namespace handrail::app {

int guardian_command(std::span<const std::string> arguments);
Verbs guardian_verbs();

// Everything that a guardian can restore on an X display.
std::unique_ptr<Restorer> make_desk_restorer();

}  // namespace handrail::app

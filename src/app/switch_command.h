// `handrail stop`, `resume` and `status`: the owner's switch over all servers of this user. They load nothing: a stop
// must be there as soon as it was typed.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"

namespace handrail::app {

int stop_command(std::span<const std::string> arguments);
int resume_command(std::span<const std::string> arguments);
int status_command(std::span<const std::string> arguments);

Options stop_options();
Options resume_options();
Options status_options();

}  // namespace handrail::app

// `handrail man`: the manual page, from the same tables as the help texts.
#pragma once

#include <span>
#include <string>

namespace handrail::app {

int man_command(std::span<const std::string> arguments);
std::string man_page();

}  // namespace handrail::app

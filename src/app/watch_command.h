// `handrail watch`: a live view for a person: windows that come, go and take the focus, and what agents do.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"
#include "model/desktop.h"

namespace handrail::app {

int watch_command(std::span<const std::string> arguments);
Options watch_options();

// What is different now, one line each.
std::vector<std::string> window_news(const std::vector<Window>& before, const std::vector<Window>& now);

}  // namespace handrail::app

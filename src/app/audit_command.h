// `handrail audit`: what was attempted on this user's desktops, and whether the log of it is whole.
#pragma once

#include <span>
#include <string>

#include "app/verbs.h"
#include "base/json.h"

namespace handrail::app {

// The words after "audit"; returns the exit code.
int audit_command(std::span<const std::string> arguments);
Verbs audit_verbs();

// One record for people, in one line of plain ASCII.
std::string audit_text(const Json& record);
// One record for a spreadsheet: no cell is taken for a formula, none holds a control character.
std::string audit_csv(const Json& record);
std::string audit_csv_header();

}  // namespace handrail::app

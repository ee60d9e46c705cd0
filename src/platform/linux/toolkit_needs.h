// What programs need to be started with so that they show their elements to accessibility: one table of flags and one
// of variables, by toolkit. GTK, LibreOffice and Firefox need nothing, once accessibility is on.
#pragma once

#include <string>
#include <vector>

#include "base/process.h"

namespace handrail::linux_ {

// For every program that is started: those that do not know them take no notice.
const Environment& accessibility_variables();

// The flag that a program needs, by its path and the files beside it; empty when it needs none.
std::string accessibility_flag(const std::string& program);
// The command with the flag that its program needs, whether it is started by itself, by `env` or by `flatpak run`.
std::vector<std::string> with_accessibility(std::vector<std::string> argv);

}  // namespace handrail::linux_

// The program behind an app's name: the file that would run, and the script when that is an interpreter.
#pragma once

#include "base/process.h"
#include "base/result.h"
#include "model/grant.h"
#include "platform/linux/desktop_entry.h"

namespace handrail::linux_ {

// As a caller may write a name: blanks around it do not count.
std::string trimmed_name(const std::string& app);
// The entry that a name means; the system's before the person's.
Result<DesktopEntry> find_entry(const std::string& app, const Environment& environment);
// The same program whether an app is named by its entry or by the absolute path of its executable.
Result<AppProgram> resolve_program(const std::string& app, const Environment& environment);
// The entry's command with the program as an absolute path, with the flag that its toolkit needs, and with the file.
Result<std::vector<std::string>> launch_command(const DesktopEntry& entry, const Environment& environment,
                                                const std::string& file = {});

}  // namespace handrail::linux_

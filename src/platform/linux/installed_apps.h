// The apps of a desktop: those installed, which of them a caller means, and which processes are theirs.
// Starts nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "model/desktop.h"
#include "platform/linux/desktop_entry.h"

namespace handrail::linux_ {

// The next step after a name that is no app's.
inline constexpr std::string_view kNameAnApp =
    "Name it by the id of its desktop entry, such as org.xfce.mousepad. `list_apps` shows those that are installed.";

// The folders that hold desktop entries, the most important first, from the environment that apps have.
std::vector<std::string> entry_folders(const Environment& environment);

// Every valid entry whose program is there, by id; an entry in an earlier folder hides one with the
// same id in a later one. Without those that need a terminal.
std::vector<DesktopEntry> installed_entries(const Environment& environment);

// By desktop id, else by exact name (any case), else by unique part of the name or id; what is not for
// menus only by id. `ambiguous` and `not_found` say what there is.
Result<DesktopEntry> match_entry(const std::vector<DesktopEntry>& entries, const std::string& wanted);

// The executable file that the entry starts, links resolved; empty when there is none.
std::string program_of(const DesktopEntry& entry, const Environment& environment);

// The processes of a desktop with what they run: those started with `scope` ("NAME=value") in their
// environment.
struct RunningProgram {
  std::int64_t pid = 0;
  std::string executable;
  std::string script;  // when the executable is an interpreter
};
std::vector<RunningProgram> running_programs(const std::string& scope);

// A single word that is the id of an installed app becomes that app's command; anything else is one already.
Result<std::vector<std::string>> command_or_app(const std::vector<std::string>& words, const Environment& environment);

App app_of(const DesktopEntry& entry, const Environment& environment, const std::vector<RunningProgram>& running);

}  // namespace handrail::linux_

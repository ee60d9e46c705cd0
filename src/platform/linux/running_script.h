// What an interpreter or a shared runtime runs, from its arguments. Arguments are the process's own word, so this only
// tells programs of the same executable apart; it never makes one out of another executable.
#pragma once

#include <string>
#include <vector>

namespace handrail::linux_ {

// Whether many programs share this executable: python3, sh, java, electron, wine…
bool runs_scripts(const std::string& executable);

// An absolute path when it is a file; "-m name" for a module, "-c <digest>" for a program given as text, the name of a
// Java class. Empty when the executable is no runtime or runs nothing (an interactive shell).
std::string script_of(const std::string& executable, const std::vector<std::string>& arguments, const std::string& cwd);

}  // namespace handrail::linux_

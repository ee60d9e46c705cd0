// The program whose windows an app shows when it is installed as a shell script that starts it. Only what the system
// installed is looked into: scripts and programs of root's in the system's folders, which nobody else can write.
#pragma once

#include <string>

namespace handrail::linux_ {

// The one binary that the script at this canonical path starts: the one beside it that has its name ("soffice.bin"
// beside "soffice"), or that of all its `exec` lines. Empty when that is not certain, when it is an interpreter, and
// for every file that is no such script.
std::string wrapped_program(const std::string& script);

}  // namespace handrail::linux_

// What a shell script that only starts a program would run, from its text alone. Pure: reads no file and runs nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace handrail::linux_ {

// The programs of its `exec` lines, each once: absolute paths or plain names. Variables that the text sets once to a
// plain value are filled in, also to the script's own folder by `dirname "$0"`; a line with any other is passed over.
std::vector<std::string> exec_targets(std::string_view text, const std::string& script);

}  // namespace handrail::linux_

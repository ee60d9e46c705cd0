// Names of apps as people, agents and config files write them, made comparable: "Gedit ", "./gedit" and
// "/usr/bin/../bin/gedit.desktop" are looked up like their plain forms. Knows nothing of what is installed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace handrail::policy {

// Without blanks around it, without the suffix of a desktop file, a path in its plain form. Case stays: files have one.
std::string clean_app_name(std::string_view name);
// The same in lower case, for comparing.
std::string folded_app_name(std::string_view name);

std::string lower(std::string_view text);
// The last part of a path.
std::string_view base_name(std::string_view path);

// The names that an executable's file goes by, in lower case: its own, and without version, architecture, wrapper and
// packaging parts: "python3.11" is also "python", ".firefox-wrapped" is also "firefox".
std::vector<std::string> program_names(std::string_view path);

}  // namespace handrail::policy

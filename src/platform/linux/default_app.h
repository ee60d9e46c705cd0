// Which app opens a file when nobody names one: the file's MIME type by its name, and the app that the person, the
// desktop or the system has chosen for that type. Starts nothing.
#pragma once

#include <string>

#include "base/process.h"
#include "base/result.h"
#include "platform/linux/desktop_entry.h"

namespace handrail::linux_ {

// An absolute path of a regular file that is there, not a link to one, and that starts no program by itself.
Status check_file(const std::string& file);

// By the shared MIME database; text and other bytes that it does not know are told apart by looking.
std::string mime_type_of(const std::string& file, const Environment& environment);

Result<DesktopEntry> default_entry(const std::string& file, const Environment& environment);

}  // namespace handrail::linux_

// Desktop entry files: how installed apps say their name and how they are started. Pure text to values;
// knows no folders and starts nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace handrail::linux_ {

struct DesktopEntry {
  std::string id;    // file name without the suffix: "org.xfce.mousepad"
  std::string path;  // of the file
  std::string name;
  std::string exec;  // as written, field codes included
  std::string try_exec;
  std::string icon;
  std::string working_folder;
  std::string mime_types;   // that it opens, each ended by a semicolon
  std::string actions;      // that it can be asked for over the message bus, each ended by a semicolon
  std::string wm_class;     // the class its windows will have, when it says so
  bool no_display = false;  // works, but is not for menus
  bool hidden = false;      // counts as deleted
  bool terminal = false;    // needs a terminal around it
  friend bool operator==(const DesktopEntry&, const DesktopEntry&) = default;
};

// The [Desktop Entry] group of a file of type Application. `protocol` with the line number when the
// text breaks the format.
Result<DesktopEntry> parse_desktop_entry(std::string_view text);

// The argument list of `Exec`: %c %i %k are filled in. The file, an absolute path, takes the place of the first file or
// address code; other such codes vanish. `argument_invalid` when there is a file and no place for it.
Result<std::vector<std::string>> command_of(const DesktopEntry& entry, const std::string& file = {});

// Words as a shell splits them, with quotes and backslashes and nothing else: no variables, patterns,
// pipes or substitution.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace handrail::linux_

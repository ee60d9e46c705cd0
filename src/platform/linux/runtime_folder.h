// Where Handrail keeps what it writes: sockets and locks that end with the login, and state that stays. Folders are
// made when they are missing, private to this user; links and folders of others are refused.
#pragma once

#include <string>

#include "base/result.h"

namespace handrail::linux_ {

// $XDG_RUNTIME_DIR/handrail; without such a variable /run/user/UID/handrail where that folder of the login is there and
// this user's alone, else /tmp/handrail-UID.
Result<std::string> runtime_folder(const std::string& logins = "/run/user");
// $XDG_STATE_HOME/handrail, else ~/.local/state/handrail.
Result<std::string> state_folder();

struct StatePaths {
  std::string folder;       // of the kept state
  std::string audit;        // folder of the audit log; made by it
  std::string key_file;     // of the audit log; its folder is made here
  std::string stop_marker;  // there while Handrail is switched off
};
Result<StatePaths> state_paths();

}  // namespace handrail::linux_

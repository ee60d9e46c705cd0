// Everything in the catalogue that a program matches: by what the system says of it, and by what it claims.
#pragma once

#include <string>
#include <vector>

#include "model/identity.h"
#include "policy/app_rows.h"

namespace handrail::policy {

struct AppMatch {
  std::string by;               // "executable xterm", "window class Navigator"
  const AppRow* row = nullptr;  // nothing: a kind of program that is in no row
  std::string category;
  std::string says;  // completes "<by> is"
  bool denied = false;
  bool for_good = false;
  GrantTier most = GrantTier::full;
  Sentinel sentinel = Sentinel::none;
  bool claimed = false;  // only the program itself says so
  bool sure = false;     // a file that just bears the name does not match: it is where the system keeps its programs
};

struct AppMatches {
  std::vector<AppMatch> all;
  bool runs_others = false;
};

AppMatches matches_of(const AppIdentity& identity, const AppRows& rows);
// A folder that only the system's administrator writes to.
bool in_system_folder(std::string_view path);

}  // namespace handrail::policy

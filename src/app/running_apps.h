// Which apps with windows show their elements, and what the others need for it.
#pragma once

#include <string>
#include <vector>

#include "app/desk.h"

namespace handrail::app {

struct RunningApp {
  std::int64_t pid = 0;
  std::string program;  // path of its file
  bool shows = false;   // its elements
  std::string flag;     // that it has to be started with, and was not
};

// Apps that begin to show their elements meanwhile are waited for.
Result<std::vector<RunningApp>> running_apps(Desk& desk, Deadline deadline);

}  // namespace handrail::app

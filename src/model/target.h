// What a visit is about for now: a window of an app, or the whole screen.
#pragma once

#include <string>

#include "model/desktop.h"

namespace handrail {

struct Target {
  bool screen = false;  // the whole desktop; the rest is empty
  std::string app;      // as its program is called
  std::int64_t pid = 0;
  WindowId window = 0;
  std::string title;  // untrusted
  Rect bounds;
  friend bool operator==(const Target&, const Target&) = default;
};

}  // namespace handrail

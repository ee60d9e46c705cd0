// Where every process has its windows on the screen: managed ones, and those that no window manager knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/desktop.h"
#include "model/geometry.h"
#include "platform/x11/connection.h"
#include "platform/x11/displays.h"

namespace handrail::x11 {

struct AppWindow {
  std::int64_t pid = 0;  // as the server knows it
  // In logical points.
  Rect frame;    // with what the window manager puts around it
  Rect whole;    // the window itself, with the shadow that an app draws
  Rect content;  // without that shadow
  WindowId id = 0;
  std::string title{};   // of a managed one; untrusted
  bool is_hint = false;  // by its own words: nothing can be typed into it
};

// Those that are drawn.
Result<std::vector<AppWindow>> app_windows(Connection& connection, DisplayLayout& layout, Deadline deadline);

}  // namespace handrail::x11

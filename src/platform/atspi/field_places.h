// Where on the screen a field is, from what its app says and from where the display server has the windows of the app.
// Toolkits answer in different ways: relative to the screen or to a window, with or without what surrounds the content,
// scaled or not. Pure; whatever does not fit together covers more, never less.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/desktop.h"
#include "model/geometry.h"

namespace handrail::atspi {

// A window as the display server has it, in logical points.
struct AppWindow {
  std::int64_t pid = 0;  // its owner
  Rect frame;            // with what the window manager puts around it
  Rect whole;            // the window itself, with the shadow that an app draws
  Rect content;          // without that shadow
  WindowId id = 0;
  std::string title{};
  bool is_hint = false;  // a tooltip, which no tree has
};

// Objects say this when they have no place.
bool has_place(const Rect& extents);

// Relative to the screen where the toolkit knows it, else to the window.
bool places_on_screen(const std::string& toolkit);

// The rectangles to cover for a field at `field` in a top-level object at `window`, both as the app says. All of the
// windows when it cannot be told where it is.
std::vector<Rect> field_places(const std::string& toolkit, const Rect& field, const Rect& window,
                               const std::vector<AppWindow>& windows);

}  // namespace handrail::atspi

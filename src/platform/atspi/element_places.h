// The elements of a mirrored tree with their places on the screen: what an app says about an object, put where the
// display server has the window that shows it, and cut to what of it can be seen there. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/element.h"
#include "platform/atspi/chosen.h"
#include "platform/atspi/field_places.h"

namespace handrail::atspi {

// LibreOffice puts widgets of its own into those of GTK, and some of GTK into these. Its own tell places as if there
// were no menu bar above them, and the outermost names a parent that is in no window.
bool mixes_widgets(const std::string& toolkit, const std::string& name);

// How what an app says becomes points on the screen, for one of its windows.
struct Placing {
  const AppWindow* window = nullptr;
  Rect from, to;  // the same box, as the app says and as it is
  double scale = 1;
  Rect clip;  // nothing of the window shows outside

  Rect operator()(const Rect& told) const;
};

// Which of the app's windows a top-level object is, by its place, its size and its title.
std::optional<Placing> place_window(const std::string& toolkit, const Rect& told, const std::string& title,
                                    const std::vector<AppWindow>& windows);

struct Scene {
  bool known = false;              // the display server was asked
  std::vector<AppWindow> windows;  // of the app
  double scale = 1;                // device pixels per point
};

// In the app's own order. With `showing`, those that can be seen nowhere are left out.
std::vector<Element> place_elements(const Mirror& app, const std::vector<Chosen>& chosen, const Scene& scene,
                                    bool showing, std::optional<WindowId> only);

}  // namespace handrail::atspi

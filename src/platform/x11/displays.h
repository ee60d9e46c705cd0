// The monitors of an X screen, read once and again only after the server said that they changed.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/desktop.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {

// Register before the connection's first call. Several may share a connection.
class DisplayLayout {
 public:
  explicit DisplayLayout(std::shared_ptr<Connection> connection);

  // Never empty on success; index 0 is the primary display, ids are 0, 1, 2… No round trip while
  // nothing changed.
  Result<std::vector<Display>> displays(Deadline deadline);
  // The same inside a task.
  Result<std::vector<Display>> displays(Server& server);

 private:
  struct Cache;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Cache> cache_;
};

// Device pixels per point from the text of the RESOURCE_MANAGER property: Xft.dpi / 96 in steps of a
// quarter, at least 1. The one scale of an X screen.
double scale_from_resources(std::string_view resources);

// Pixel and point geometry of a whole X screen differ by that one scale.
inline Rect to_points(const PixelRect& r, double scale) {
  return {r.x / scale, r.y / scale, r.width / scale, r.height / scale};
}

// The display that shows a pixel, else the primary one.
const Display& display_of(const std::vector<Display>& displays, PixelPoint pixel);

}  // namespace handrail::x11

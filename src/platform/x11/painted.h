// How much of each top-level window its app has painted since it was mapped or resized. The server starts a window
// with a copy of what the screen showed in its place, so what is not painted yet may be a picture of anything.
#pragma once

#include <xcb/xcb.h>
#include <xcb/xfixes.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "platform/x11/connection.h"
#include "platform/x11/window_tree.h"

namespace handrail::x11 {

// Make it before the connection's first call. Everything else only inside a task.
class PaintedWindows {
 public:
  explicit PaintedWindows(Connection& connection);

  // Brings the regions of these windows up to date. Sends requests only.
  void collect(Server& server, const std::vector<TopLevel>& tree);
  // The painted part, relative to the window; nothing when all of it is.
  std::optional<xcb_xfixes_region_t> clip(Server& server, xcb_window_t top);
  // Whether all of it was painted when it was last seen mapped.
  bool last_whole(xcb_window_t top) const;
  // Differs from an earlier one when the window was mapped or resized in between, as far as replies have come.
  std::uint64_t life(xcb_window_t top) const;

  enum class Left { nothing, soon, given_up };
  // Whether everything that is shown of these windows is painted. An app that is late is asked to paint again, once.
  Result<Left> left(Server& server, const std::vector<TopLevel>& tree);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace handrail::x11

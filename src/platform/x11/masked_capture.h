// Pictures that are put together from the windows that may be seen, and from nothing else. Each window's own pixels are
// copied by one request that leaves out whatever other windows show inside it at that moment, so that no window
// which appears, rises or moves meanwhile can get in; the server is not grabbed for it.
#pragma once

#include <xcb/xcb.h>

#include <memory>
#include <vector>

#include "model/frame.h"
#include "platform/x11/connection.h"
#include "platform/x11/painted.h"
#include "platform/x11/segments.h"
#include "platform/x11/window_tree.h"

namespace handrail::x11 {

class MaskedCapture {
 public:
  // `area` of the root; what no shown window covers, or has not painted yet, is flat. Only inside a task.
  Result<Frame> compose(Server& server, SegmentPool& segments, PaintedWindows& painted,
                        const std::vector<TopLevel>& tree, const PixelRect& area, bool composited);

 private:
  Status prepare(Server& server, Size size);
  void draw(Server& server, PaintedWindows& painted, const TopLevel& top, const PixelRect& area,
            const std::vector<PixelRect>& above);

  // Kept from picture to picture: making one costs as much as drawing it.
  std::uint64_t epoch_ = 0;
  xcb_pixmap_t canvas_ = XCB_NONE;
  xcb_gcontext_t gc_ = XCB_NONE;
  Size size_;
};

}  // namespace handrail::x11

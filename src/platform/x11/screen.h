// The Screen port on X11.
#pragma once

#include <memory>

#include "computer/ports.h"
#include "platform/x11/connection.h"
#include "platform/x11/damage.h"
#include "platform/x11/displays.h"
#include "platform/x11/masked_capture.h"
#include "platform/x11/painted.h"
#include "platform/x11/segments.h"
#include "platform/x11/window_pixmaps.h"

namespace handrail::x11 {

// Make it before the connection's first call.
class X11Screen : public Screen {
 public:
  // Without `identify` the owner of every window is unknown to `CaptureRequest::shows`.
  explicit X11Screen(std::shared_ptr<Connection> connection, Identify identify = {});

  Result<std::vector<Display>> displays(Deadline deadline) override;
  Result<Capture> capture(const CaptureRequest& request, Deadline deadline) override;
  Result<Point> cursor(Deadline deadline) override;
  Result<std::uint64_t> change_count(Deadline deadline) override;
  Result<std::uint64_t> wait_for_change(std::uint64_t seen, Deadline deadline, std::stop_token stop) override;

 private:
  // Says how much of what is shown its apps have yet to paint.
  using Left = PaintedWindows::Left;
  Result<Capture> capture_once(const CaptureRequest& request, Deadline deadline, Left& left);
  Result<Capture> capture_area(Server& server, const CaptureRequest& request, const std::vector<Display>& displays,
                               Left& left);
  Result<Capture> capture_window(Server& server, const CaptureRequest& request, const std::vector<Display>& displays,
                                 Left& left);
  Result<Capture> masked_window(Server& server, const CaptureRequest& request, xcb_window_t window, double scale,
                                Left& left);
  Result<Frame> compose(Server& server, std::vector<TopLevel>& tree, const PixelRect& area, bool composited,
                        Left& left);

  std::shared_ptr<Connection> connection_;
  DisplayLayout layout_;
  ChangeCounter changes_;
  WindowPixmaps windows_;
  Identify identify_;
  PaintedWindows painted_;
  MaskedCapture masked_;
  FrameParts frames_;
  std::shared_ptr<SegmentPool> segments_;
};

}  // namespace handrail::x11

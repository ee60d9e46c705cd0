#include "platform/x11/cursor.h"

#include <xcb/xfixes.h>

#include <algorithm>

#include "platform/x11/extensions.h"

namespace handrail::x11 {
namespace {

// `source` is premultiplied ARGB, as XFixes gives it.
void blend(std::uint8_t* pixel, std::uint32_t source) {
  const std::uint32_t keep = 255 - (source >> 24);
  for (int channel = 0; channel < 3; ++channel) {
    const std::uint32_t over = (source >> (8 * channel)) & 0xff;
    pixel[channel] = static_cast<std::uint8_t>(std::min(255U, over + (pixel[channel] * keep + 127) / 255));
  }
}

}  // namespace

Result<PixelPoint> cursor_position(Server& server) {
  const auto reply =
      TRY(server.reply(xcb_query_pointer(server.xcb(), server.root()), xcb_query_pointer_reply, "QueryPointer"));
  return PixelPoint{reply->root_x, reply->root_y};
}

Status draw_cursor(Server& server, std::uint8_t* pixels, std::size_t stride, const PixelRect& area) {
  if (!server.extensions().xfixes.present()) {
    return make_error(Code::capability_unsupported,
                      "The X server has no XFIXES extension, so the pointer has no image.")
        .with_hint("Capture without the cursor.");
  }
  const auto reply = TRY(server.reply(xcb_xfixes_get_cursor_image(server.xcb()), xcb_xfixes_get_cursor_image_reply,
                                      "XFixesGetCursorImage"));
  const std::uint32_t* image = xcb_xfixes_get_cursor_image_cursor_image(reply.get());
  const PixelRect cursor{reply->x - reply->xhot, reply->y - reply->yhot, reply->width, reply->height};
  const PixelRect seen = intersect(cursor, area);
  for (int y = seen.y; y < seen.y + seen.height; ++y) {
    const std::uint32_t* from = image + (y - cursor.y) * cursor.width;
    std::uint8_t* to = pixels + static_cast<std::size_t>(y - area.y) * stride;
    for (int x = seen.x; x < seen.x + seen.width; ++x) blend(to + (x - area.x) * 4, from[x - cursor.x]);
  }
  return {};
}

}  // namespace handrail::x11

#include "platform/x11/capture.h"

#include <fmt/format.h>
#include <xcb/shm.h>

#include <cstring>

namespace handrail::x11 {
namespace {

Status readable(Server& server, int depth) {
  const xcb_setup_t* setup = xcb_get_setup(server.xcb());
  bool four_bytes = false;
  for (auto it = xcb_setup_pixmap_formats_iterator(setup); it.rem > 0; xcb_format_next(&it)) {
    if (it.data->depth == depth) four_bytes = it.data->bits_per_pixel == 32;
  }
  if ((depth == 24 || depth == 32) && four_bytes && setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST) return {};
  return make_error(
             Code::capability_unsupported,
             fmt::format("The picture is {} bit deep; only 24 and 32 bit in 4 bytes a pixel can be read.", depth))
      .with_hint("Start the X server with a 24 bit screen, for example `Xvfb -screen 0 1280x800x24`.");
}

}  // namespace

Result<Frame> read_pixels(Server& server, SegmentPool& segments, xcb_drawable_t drawable, int depth,
                          const PixelRect& part) {
  TRY(readable(server, depth));
  const auto x = static_cast<std::int16_t>(part.x), y = static_cast<std::int16_t>(part.y);
  const auto width = static_cast<std::uint16_t>(part.width), height = static_cast<std::uint16_t>(part.height);
  const std::size_t stride = std::size_t{width} * 4, bytes = stride * height;
  constexpr std::uint32_t kAllPlanes = ~0U;

  const auto lease = TRY(segments.lease(server, bytes));
  if (lease) {
    TRY(server.reply(xcb_shm_get_image(server.xcb(), drawable, x, y, width, height, kAllPlanes,
                                       XCB_IMAGE_FORMAT_Z_PIXMAP, lease->segment, 0),
                     xcb_shm_get_image_reply, "ShmGetImage"));
    return Frame{part.width, part.height, stride, lease->memory};
  }
  const auto image = TRY(
      server.reply(xcb_get_image(server.xcb(), XCB_IMAGE_FORMAT_Z_PIXMAP, drawable, x, y, width, height, kAllPlanes),
                   xcb_get_image_reply, "GetImage"));
  if (static_cast<std::size_t>(xcb_get_image_data_length(image.get())) < bytes) {
    return make_error(Code::backend_error, "The X server sent less of the picture than was asked for.");
  }
  Frame frame = make_frame(part.size());
  std::memcpy(writable(frame), xcb_get_image_data(image.get()), bytes);
  return frame;
}

}  // namespace handrail::x11

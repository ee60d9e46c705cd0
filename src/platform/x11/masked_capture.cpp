#include "platform/x11/masked_capture.h"

#include <algorithm>

#include "platform/x11/capture.h"
#include "platform/x11/mask.h"

namespace handrail::x11 {
namespace {

constexpr int kAlphaDepth = 32;

std::int16_t coordinate(int v) { return static_cast<std::int16_t>(v); }
std::uint16_t length(int v) { return static_cast<std::uint16_t>(v); }

xcb_rectangle_t rectangle(const PixelRect& r, PixelPoint origin) {
  return {coordinate(r.x - origin.x), coordinate(r.y - origin.y), length(r.width), length(r.height)};
}

void copy(Server& server, const ShownWindow& window, xcb_pixmap_t to, xcb_gcontext_t gc, const PixelRect& area) {
  const PixelRect part = intersect(window.place, area);
  if (part.empty()) return;
  xcb_copy_area(server.xcb(), window.window, to, gc, coordinate(part.x - window.place.x),
                coordinate(part.y - window.place.y), coordinate(part.x - area.x), coordinate(part.y - area.y),
                length(part.width), length(part.height));
}

// A graphics context whose copies leave out the children of the source.
xcb_gcontext_t make_context(Server& server, xcb_drawable_t drawable, std::uint32_t foreground) {
  const xcb_gcontext_t gc = xcb_generate_id(server.xcb());
  const std::uint32_t values[] = {foreground, XCB_SUBWINDOW_MODE_CLIP_BY_CHILDREN, 0};
  xcb_create_gc(server.xcb(), gc, drawable, XCB_GC_FOREGROUND | XCB_GC_SUBWINDOW_MODE | XCB_GC_GRAPHICS_EXPOSURES,
                values);
  return gc;
}

// A window with transparency, on its own.
struct Layer {
  Frame pixels;
  PixelRect place;
  std::vector<PixelRect> above;  // what covers it
};

// Where the content of a top-level window begins; borders are the same on all sides.
PixelPoint content_origin(const TopLevel& top) {
  if (!top.shown.empty() && top.shown.front().window == top.window) {
    return {top.shown.front().place.x, top.shown.front().place.y};
  }
  return {top.place.x, top.place.y};
}

// Copies only what the app has painted itself, into a picture of `area`.
void clip_to_painted(Server& server, PaintedWindows& painted, const TopLevel& top, xcb_gcontext_t gc,
                     const PixelRect& area) {
  const auto region = painted.clip(server, top.window);
  if (!region) return;
  const PixelPoint origin = content_origin(top);
  xcb_xfixes_set_gc_clip_region(server.xcb(), gc, *region, coordinate(origin.x - area.x),
                                coordinate(origin.y - area.y));
}

Result<Frame> read_layer(Server& server, SegmentPool& segments, PaintedWindows& painted, const TopLevel& top,
                         const PixelRect& place) {
  const xcb_pixmap_t pixmap = xcb_generate_id(server.xcb());
  xcb_create_pixmap(server.xcb(), kAlphaDepth, pixmap, server.root(), length(place.width), length(place.height));
  const xcb_gcontext_t gc = make_context(server, pixmap, 0);
  const xcb_rectangle_t all{0, 0, length(place.width), length(place.height)};
  xcb_poly_fill_rectangle(server.xcb(), pixmap, gc, 1, &all);
  clip_to_painted(server, painted, top, gc, place);
  for (const ShownWindow& window : top.shown) {
    if (window.depth == kAlphaDepth) copy(server, window, pixmap, gc, place);
  }
  auto frame = read_pixels(server, segments, pixmap, kAlphaDepth, {0, 0, place.width, place.height});
  xcb_free_gc(server.xcb(), gc);
  xcb_free_pixmap(server.xcb(), pixmap);
  return frame;
}

// Rectangles of opaque top-level windows above, each as one box; more of them would cost more than they spare.
bool covered(const PixelRect& place, const std::vector<PixelRect>& above) {
  return std::any_of(above.begin(), above.end(), [&](const PixelRect& box) { return intersect(place, box) == place; });
}

bool translucent(const TopLevel& top) {
  return std::any_of(top.shown.begin(), top.shown.end(), [](const ShownWindow& w) { return w.depth == kAlphaDepth; });
}

}  // namespace

Status MaskedCapture::prepare(Server& server, Size size) {
  const bool kept = epoch_ == server.epoch();
  if (kept && size.width <= size_.width && size.height <= size_.height) return {};
  if (kept && canvas_ != XCB_NONE) {
    xcb_free_gc(server.xcb(), gc_);
    xcb_free_pixmap(server.xcb(), canvas_);
  }
  // A detail does not cost the next whole picture its canvas.
  if (kept) size = {std::max(size.width, size_.width), std::max(size.height, size_.height)};
  epoch_ = server.epoch();
  size_ = {};
  canvas_ = xcb_generate_id(server.xcb());
  TRY(server.check(xcb_create_pixmap_checked(server.xcb(), server.screen()->root_depth, canvas_, server.root(),
                                             length(size.width), length(size.height)),
                   "CreatePixmap"));
  gc_ = make_context(server, canvas_, kFlat);
  size_ = size;
  return {};
}

void MaskedCapture::draw(Server& server, PaintedWindows& painted, const TopLevel& top, const PixelRect& area,
                         const std::vector<PixelRect>& above) {
  // A window that is shown with all its parts paints over everything that is below it.
  const bool partly = painted.clip(server, top.window).has_value();
  const bool whole = !partly && !top.hidden && !top.shown.empty() && top.shown.front().window == top.window;
  if (top.hidden || (!whole && !translucent(top))) {
    std::vector<xcb_rectangle_t> boxes;
    for (const PixelRect& part : top.outline) {
      const PixelRect seen = intersect(part, area);
      if (!seen.empty()) boxes.push_back(rectangle(seen, {area.x, area.y}));
    }
    if (!boxes.empty()) {
      xcb_poly_fill_rectangle(server.xcb(), canvas_, gc_, static_cast<std::uint32_t>(boxes.size()), boxes.data());
    }
  }
  clip_to_painted(server, painted, top, gc_, area);
  for (const ShownWindow& window : top.shown) {
    const PixelRect part = intersect(window.place, area);
    if (part.empty() || covered(part, above)) continue;
    if (window.depth == server.screen()->root_depth) copy(server, window, canvas_, gc_, area);
  }
  if (partly) {
    const std::uint32_t none = XCB_NONE;
    xcb_change_gc(server.xcb(), gc_, XCB_GC_CLIP_MASK, &none);
  }
}

Result<Frame> MaskedCapture::compose(Server& server, SegmentPool& segments, PaintedWindows& painted,
                                     const std::vector<TopLevel>& tree, const PixelRect& area, bool composited) {
  TRY(prepare(server, area.size()));
  const xcb_rectangle_t all = rectangle(area, {area.x, area.y});
  xcb_poly_fill_rectangle(server.xcb(), canvas_, gc_, 1, &all);
  std::vector<Layer> layers;
  std::vector<std::vector<PixelRect>> above(tree.size());
  for (std::size_t i = tree.size(); i-- > 1;) {
    above[i - 1] = above[i];
    const bool box = tree[i].outline.size() == 1 && (tree[i].hidden || !translucent(tree[i]));
    if (box && above[i].size() < 16) above[i - 1].push_back(tree[i].outline.front());
  }
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const TopLevel& top = tree[i];
    const PixelRect seen = intersect(top.place, area);
    if (seen.empty() || covered(seen, above[i])) continue;
    draw(server, painted, top, area, above[i]);
    if (!translucent(top)) {
      for (Layer& layer : layers) layer.above.insert(layer.above.end(), top.outline.begin(), top.outline.end());
      continue;
    }
    layers.push_back({TRY(read_layer(server, segments, painted, top, seen)), seen, {}});
  }
  Frame frame =
      TRY(read_pixels(server, segments, canvas_, server.screen()->root_depth, {0, 0, area.width, area.height}));
  for (const Layer& layer : layers) lay_over(frame, area, layer.pixels, layer.place, layer.above, composited);
  return frame;
}

}  // namespace handrail::x11

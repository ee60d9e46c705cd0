#include "platform/x11/dialog_window.h"

#include <unistd.h>
#include <xcb/randr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

// Fits any server's limit on a request.
constexpr std::size_t kBandBytes = 128 * 1024;

struct Rows {
  int x, y, width, height;
  bool meets(const Rows& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
};

Owned<xcb_get_property_reply_t> property(xcb_connection_t* xcb, xcb_window_t window, xcb_atom_t name,
                                         std::uint32_t words) {
  return Owned<xcb_get_property_reply_t>(
      xcb_get_property_reply(xcb, xcb_get_property(xcb, 0, window, name, XCB_ATOM_ANY, 0, words), nullptr));
}

std::optional<xcb_visualid_t> visual_of_depth(const xcb_screen_t& screen, std::uint8_t depth) {
  for (auto depths = xcb_screen_allowed_depths_iterator(&screen); depths.rem != 0; xcb_depth_next(&depths)) {
    if (depths.data->depth != depth) continue;
    for (auto visuals = xcb_depth_visuals_iterator(depths.data); visuals.rem != 0; xcb_visualtype_next(&visuals)) {
      const xcb_visualtype_t& visual = *visuals.data;
      if (visual._class == XCB_VISUAL_CLASS_TRUE_COLOR && visual.red_mask == 0xff0000 && visual.blue_mask == 0xff) {
        return visual.visual_id;
      }
    }
  }
  return std::nullopt;
}

bool plain_pixels(xcb_connection_t* xcb, std::uint8_t depth) {
  const xcb_setup_t* setup = xcb_get_setup(xcb);
  const bool little = std::endian::native == std::endian::little;
  if ((setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST) != little) return false;
  for (auto formats = xcb_setup_pixmap_formats_iterator(setup); formats.rem != 0; xcb_format_next(&formats)) {
    if (formats.data->depth == depth) return formats.data->bits_per_pixel == 32;
  }
  return false;
}

}  // namespace

double screen_scale(xcb_connection_t* xcb, const xcb_screen_t& screen) {
  const auto resources = property(xcb, screen.root, XCB_ATOM_RESOURCE_MANAGER, 16384);
  if (!resources || resources->format != 8) return 1;
  const std::string_view text(static_cast<const char*>(xcb_get_property_value(resources.get())),
                              static_cast<std::size_t>(xcb_get_property_value_length(resources.get())));
  constexpr std::string_view kName = "Xft.dpi:";
  const std::size_t at = text.find(kName);
  if (at == std::string_view::npos) return 1;
  std::string_view value = text.substr(at + kName.size());
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  int dpi = 96;
  std::from_chars(value.data(), value.data() + value.size(), dpi);
  return std::clamp(dpi / 96.0, 1.0, 3.0);
}

PixelRect main_monitor(xcb_connection_t* xcb, const xcb_screen_t& screen) {
  PixelRect place{0, 0, screen.width_in_pixels, screen.height_in_pixels};
  const xcb_query_extension_reply_t* randr = xcb_get_extension_data(xcb, &xcb_randr_id);
  if (randr == nullptr || randr->present == 0) return place;
  const Owned<xcb_randr_get_monitors_reply_t> monitors(
      xcb_randr_get_monitors_reply(xcb, xcb_randr_get_monitors(xcb, screen.root, 1), nullptr));
  if (!monitors) return place;
  bool found = false;
  for (auto it = xcb_randr_get_monitors_monitors_iterator(monitors.get()); it.rem != 0;
       xcb_randr_monitor_info_next(&it)) {
    if (found && it.data->primary == 0) continue;
    place = {it.data->x, it.data->y, it.data->width, it.data->height};
    found = true;
  }
  return place;
}

DialogWindow::DialogWindow(xcb_connection_t* xcb, const xcb_screen_t& screen) : xcb_(xcb), screen_(screen) {}

DialogWindow::~DialogWindow() {
  if (window_ == XCB_WINDOW_NONE) return;
  xcb_destroy_window(xcb_, window_);
  xcb_flush(xcb_);
}

xcb_atom_t DialogWindow::atom(const char* name) const {
  const auto length = static_cast<std::uint16_t>(std::strlen(name));
  const Owned<xcb_intern_atom_reply_t> reply(
      xcb_intern_atom_reply(xcb_, xcb_intern_atom(xcb_, 0, length, name), nullptr));
  return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
}

bool DialogWindow::open(const std::string& title, const PixelRect& place) {
  depth_ = 24;
  const auto visual = visual_of_depth(screen_, depth_);
  if (!visual || !plain_pixels(xcb_, depth_)) return false;
  colours_ = xcb_generate_id(xcb_);
  xcb_create_colormap(xcb_, XCB_COLORMAP_ALLOC_NONE, colours_, screen_.root, *visual);
  window_ = xcb_generate_id(xcb_);
  const std::array<std::uint32_t, 4> values{0xffffff, 0,
                                            XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_STRUCTURE_NOTIFY |
                                                XCB_EVENT_MASK_VISIBILITY_CHANGE | XCB_EVENT_MASK_PROPERTY_CHANGE |
                                                XCB_EVENT_MASK_FOCUS_CHANGE,
                                            colours_};
  const Owned<xcb_generic_error_t> error(xcb_request_check(
      xcb_, xcb_create_window_checked(
                xcb_, depth_, window_, screen_.root, static_cast<std::int16_t>(place.x),
                static_cast<std::int16_t>(place.y), static_cast<std::uint16_t>(place.width),
                static_cast<std::uint16_t>(place.height), 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, *visual,
                XCB_CW_BACK_PIXEL | XCB_CW_BORDER_PIXEL | XCB_CW_EVENT_MASK | XCB_CW_COLORMAP, values.data())));
  if (error) {
    window_ = XCB_WINDOW_NONE;
    return false;
  }
  context_ = xcb_generate_id(xcb_);
  xcb_create_gc(xcb_, context_, window_, 0, nullptr);
  name_it(title, place);
  return true;
}

void DialogWindow::name_it(const std::string& title, const PixelRect& place) {
  stamp_ = atom("_HANDRAIL_SHOWN");
  protocols_ = atom("WM_PROTOCOLS");
  delete_window_ = atom("WM_DELETE_WINDOW");
  const auto set = [this](xcb_atom_t name, xcb_atom_t type, std::uint8_t format, std::uint32_t count,
                          const void* data) {
    xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, window_, name, type, format, count, data);
  };
  const auto length = static_cast<std::uint32_t>(title.size());
  set(atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8, length, title.data());
  set(XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, length, title.data());
  static constexpr char kClass[] = "handrail\0Handrail";
  set(XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 8, sizeof kClass, kClass);
  set(protocols_, XCB_ATOM_ATOM, 32, 1, &delete_window_);
  const xcb_atom_t dialog = atom("_NET_WM_WINDOW_TYPE_DIALOG");
  set(atom("_NET_WM_WINDOW_TYPE"), XCB_ATOM_ATOM, 32, 1, &dialog);
  const std::array<xcb_atom_t, 2> states{atom("_NET_WM_STATE_ABOVE"), atom("_NET_WM_STATE_STICKY")};
  set(atom("_NET_WM_STATE"), XCB_ATOM_ATOM, 32, states.size(), states.data());
  const auto pid = static_cast<std::uint32_t>(::getpid());
  set(atom("_NET_WM_PID"), XCB_ATOM_CARDINAL, 32, 1, &pid);
  // ICCCM: it takes the focus; place and size are ours, and the size is the only one.
  const std::array<std::uint32_t, 9> hints{1, 1};
  set(XCB_ATOM_WM_HINTS, XCB_ATOM_WM_HINTS, 32, hints.size(), hints.data());
  const auto width = static_cast<std::uint32_t>(place.width), height = static_cast<std::uint32_t>(place.height);
  std::array<std::uint32_t, 18> sizes{1u << 2 | 1u << 3 | 1u << 4 | 1u << 5,
                                      static_cast<std::uint32_t>(place.x),
                                      static_cast<std::uint32_t>(place.y),
                                      width,
                                      height,
                                      width,
                                      height,
                                      width,
                                      height};
  set(XCB_ATOM_WM_NORMAL_HINTS, XCB_ATOM_WM_SIZE_HINTS, 32, sizes.size(), sizes.data());
}

void DialogWindow::show() {
  xcb_map_window(xcb_, window_);
  const auto manager = property(xcb_, screen_.root, atom("_NET_SUPPORTING_WM_CHECK"), 1);
  if (!manager || manager->type == XCB_ATOM_NONE) {
    const std::uint32_t above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(xcb_, window_, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    xcb_set_input_focus(xcb_, XCB_INPUT_FOCUS_PARENT, window_, XCB_CURRENT_TIME);
  }
  xcb_flush(xcb_);
}

void DialogWindow::fill(const std::vector<std::uint32_t>& pixels, Size size) {
  const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
  if (pixels.size() < width * height) return;
  const std::size_t band = std::max<std::size_t>(1, kBandBytes / (width * 4));
  for (std::size_t top = 0; top < height; top += band) {
    const std::size_t rows = std::min(band, height - top);
    xcb_put_image(xcb_, XCB_IMAGE_FORMAT_Z_PIXMAP, window_, context_, static_cast<std::uint16_t>(width),
                  static_cast<std::uint16_t>(rows), 0, static_cast<std::int16_t>(top), 0, depth_,
                  static_cast<std::uint32_t>(rows * width * 4),
                  reinterpret_cast<const std::uint8_t*>(&pixels[top * width]));
  }
  xcb_flush(xcb_);
}

void DialogWindow::ask_time() {
  xcb_change_property(xcb_, XCB_PROP_MODE_REPLACE, window_, stamp_, XCB_ATOM_CARDINAL, 32, 0, nullptr);
  xcb_flush(xcb_);
}

bool DialogWindow::covered() const {
  const Owned<xcb_get_geometry_reply_t> own(xcb_get_geometry_reply(xcb_, xcb_get_geometry(xcb_, window_), nullptr));
  const Owned<xcb_translate_coordinates_reply_t> at(
      xcb_translate_coordinates_reply(xcb_, xcb_translate_coordinates(xcb_, window_, screen_.root, 0, 0), nullptr));
  if (!own || !at) return true;
  const Rows place{at->dst_x, at->dst_y, own->width, own->height};
  // The ancestor right below the root: the frame of a window manager, or the window itself.
  xcb_window_t top = window_;
  std::vector<xcb_window_t> above;
  for (int level = 0;; ++level) {
    const Owned<xcb_query_tree_reply_t> tree(xcb_query_tree_reply(xcb_, xcb_query_tree(xcb_, top), nullptr));
    if (!tree || level > 16) return true;
    if (tree->parent == screen_.root) break;
    top = tree->parent;
  }
  const Owned<xcb_query_tree_reply_t> tree(xcb_query_tree_reply(xcb_, xcb_query_tree(xcb_, screen_.root), nullptr));
  if (!tree) return true;
  const xcb_window_t* children = xcb_query_tree_children(tree.get());
  const xcb_window_t* end = children + xcb_query_tree_children_length(tree.get());
  const xcb_window_t* found = std::find(children, end, top);
  if (found == end) return true;
  above.assign(found + 1, end);
  for (const xcb_window_t window : above) {
    const auto asked = xcb_get_window_attributes(xcb_, window);
    const auto asked_place = xcb_get_geometry(xcb_, window);
    const Owned<xcb_get_window_attributes_reply_t> kind(xcb_get_window_attributes_reply(xcb_, asked, nullptr));
    const Owned<xcb_get_geometry_reply_t> there(xcb_get_geometry_reply(xcb_, asked_place, nullptr));
    if (!kind || !there || kind->map_state != XCB_MAP_STATE_VIEWABLE) continue;  // gone or not shown
    if (kind->_class != XCB_WINDOW_CLASS_INPUT_OUTPUT) continue;                 // cannot be seen
    const int border = 2 * there->border_width;
    if (place.meets({there->x, there->y, there->width + border, there->height + border})) return true;
  }
  return false;
}

}  // namespace handrail::x11

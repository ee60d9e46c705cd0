#include "platform/x11/seat_cover.h"

#include <algorithm>
#include <array>
#include <span>

#include "platform/x11/extensions.h"
#include "platform/x11/owner_questions.h"
#include "platform/x11/window_owners.h"

namespace handrail::x11 {
namespace {

constexpr std::string_view kRecord = "_HANDRAIL_CUT_WINDOWS";
constexpr std::uint32_t kMostWords = 1 << 16;
constexpr int kHole = 3;

xcb_atom_t record_atom(xcb_connection_t* xcb) {
  const Owned<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
      xcb, xcb_intern_atom(xcb, 0, static_cast<std::uint16_t>(kRecord.size()), kRecord.data()), nullptr));
  return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
}

// One word each: window, whether it was shaped, how many holes, and those in two words each.
void write_record(xcb_connection_t* xcb, xcb_window_t root, const std::vector<CutWindow>& cut) {
  std::vector<std::uint32_t> words;
  for (const CutWindow& each : cut) {
    words.insert(words.end(), {each.window, each.shaped ? 1U : 0U, static_cast<std::uint32_t>(each.holes.size())});
    for (const xcb_rectangle_t& part : each.holes) {
      const auto pair = [](auto low, auto high) {
        return static_cast<std::uint32_t>(static_cast<std::uint16_t>(low)) |
               static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16;
      };
      words.insert(words.end(), {pair(part.x, part.y), pair(part.width, part.height)});
    }
  }
  const xcb_atom_t record = record_atom(xcb);
  if (words.empty()) {
    xcb_delete_property(xcb, root, record);
  } else {
    xcb_change_property(xcb, XCB_PROP_MODE_REPLACE, root, record, XCB_ATOM_CARDINAL, 32,
                        static_cast<std::uint32_t>(words.size()), words.data());
  }
}

std::vector<CutWindow> read_record(xcb_connection_t* xcb, xcb_window_t root) {
  const Owned<xcb_get_property_reply_t> reply(xcb_get_property_reply(
      xcb, xcb_get_property(xcb, 0, root, record_atom(xcb), XCB_ATOM_CARDINAL, 0, kMostWords), nullptr));
  std::vector<CutWindow> cut;
  if (!reply || reply->format != 32) return cut;
  std::span words(static_cast<const std::uint32_t*>(xcb_get_property_value(reply.get())), reply->value_len);
  while (words.size() >= 3) {
    CutWindow each{words[0], words[1] != 0, {}};
    const std::size_t count = words[2];
    words = words.subspan(3);
    if (count > words.size() / 2) break;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t place = words[2 * i], size = words[2 * i + 1];
      each.holes.push_back({static_cast<std::int16_t>(place & 0xffff), static_cast<std::int16_t>(place >> 16),
                            static_cast<std::uint16_t>(size & 0xffff), static_cast<std::uint16_t>(size >> 16)});
    }
    words = words.subspan(2 * count);
    cut.push_back(std::move(each));
  }
  return cut;
}

void mend(xcb_connection_t* xcb, const CutWindow& cut) {
  if (!cut.shaped) {
    xcb_shape_mask(xcb, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_INPUT, cut.window, 0, 0, XCB_PIXMAP_NONE);
    return;
  }
  // The app may have changed its shape since.
  xcb_shape_rectangles(xcb, XCB_SHAPE_SO_UNION, XCB_SHAPE_SK_INPUT, XCB_CLIP_ORDERING_UNSORTED, cut.window, 0, 0,
                       static_cast<std::uint32_t>(cut.holes.size()), cut.holes.data());
}

bool contains(const xcb_rectangle_t& part, int x, int y) {
  return x >= part.x && y >= part.y && x < part.x + part.width && y < part.y + part.height;
}

// A window above, with everything that is asked about it on its way.
struct Above {
  xcb_window_t window;
  Pending<xcb_get_geometry_reply_t> geometry;
  Pending<xcb_get_window_attributes_reply_t> attributes;
  Pending<xcb_shape_get_rectangles_reply_t> shape;
};

}  // namespace

Status SeatCover::open(Server& server, xcb_window_t window, PixelPoint pixel) {
  const std::vector<xcb_window_t> line = TRY(lineage(server, window));
  if (line.empty() || !server.extensions().shape.present()) return {};
  const ClientBase app = client_of(server, window);
  const auto tree = TRY(server.reply(xcb_query_tree(server.xcb(), server.root()), xcb_query_tree_reply, "QueryTree"));
  const std::span all(xcb_query_tree_children(tree.get()),
                      static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())));
  std::vector<Above> above;
  for (auto it = all.rbegin(); it != all.rend() && *it != line.back(); ++it) {
    xcb_connection_t* xcb = server.xcb();
    above.push_back(
        {*it, server.pend(xcb_get_geometry(xcb, *it), xcb_get_geometry_reply, "GetGeometry"),
         server.pend(xcb_get_window_attributes(xcb, *it), xcb_get_window_attributes_reply, "GetWindowAttributes"),
         server.pend(xcb_shape_get_rectangles(xcb, *it, XCB_SHAPE_SK_INPUT), xcb_shape_get_rectangles_reply,
                     "ShapeGetRectangles")});
  }
  std::vector<std::pair<xcb_window_t, xcb_rectangle_t>> holes;
  for (Above& each : above) {
    const auto geometry = each.geometry.get();
    const auto attributes = each.attributes.get();
    const auto shape = each.shape.get();
    // It went away, and covers nothing any more.
    if (!geometry.ok() || !attributes.ok() || !shape.ok()) continue;
    if ((*attributes)->map_state != XCB_MAP_STATE_VIEWABLE) continue;
    const int border = (*geometry)->border_width;
    const int x = pixel.x - (*geometry)->x - border, y = pixel.y - (*geometry)->y - border;
    const std::span parts(xcb_shape_get_rectangles_rectangles(shape->get()),
                          static_cast<std::size_t>(xcb_shape_get_rectangles_rectangles_length(shape->get())));
    const bool inside = x >= -border && y >= -border && x < (*geometry)->width + border &&
                        y < (*geometry)->height + border &&
                        std::ranges::any_of(parts, [&](const xcb_rectangle_t& part) { return contains(part, x, y); });
    if (!inside) continue;
    // A menu or a list of the app itself is what is meant there.
    if (client_of(server, each.window) == app) break;
    const xcb_rectangle_t hole{static_cast<std::int16_t>(x - kHole / 2), static_cast<std::int16_t>(y - kHole / 2),
                               kHole, kHole};
    holes.emplace_back(each.window, hole);
    if (const auto known = std::ranges::find(cut_, each.window, &CutWindow::window); known != cut_.end()) {
      known->holes.push_back(hole);
      continue;
    }
    // What a window without a shape is told to have.
    const bool whole = parts.size() == 1 && parts[0].x == -border && parts[0].y == -border &&
                       parts[0].width >= (*geometry)->width + border && parts[0].height >= (*geometry)->height + border;
    cut_.push_back({each.window, !whole, {hole}});
  }
  if (holes.empty()) return {};
  write_record(server.xcb(), server.root(), cut_);
  for (const auto& [cut, hole] : holes) {
    xcb_shape_rectangles(server.xcb(), XCB_SHAPE_SO_SUBTRACT, XCB_SHAPE_SK_INPUT, XCB_CLIP_ORDERING_UNSORTED, cut, 0, 0,
                         1, &hole);
  }
  return {};
}

void SeatCover::close(Server& server) {
  if (cut_.empty()) return;
  for (const CutWindow& cut : cut_) mend(server.xcb(), cut);
  write_record(server.xcb(), server.root(), {});
  cut_.clear();
}

void mend_covers(xcb_connection_t* xcb, xcb_window_t root) {
  const std::vector<CutWindow> cut = read_record(xcb, root);
  for (const CutWindow& each : cut) mend(xcb, each);
  if (!cut.empty()) write_record(xcb, root, {});
  xcb_flush(xcb);
}

}  // namespace handrail::x11

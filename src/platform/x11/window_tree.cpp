#include "platform/x11/window_tree.h"

#include <xcb/shape.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "platform/x11/extensions.h"
#include "platform/x11/properties.h"

namespace handrail::x11 {
namespace {

// What is beyond is not shown.
constexpr std::size_t kMostWindows = 8192;
constexpr int kDeepest = 64;
constexpr Millis kFramePartsAge{2000};

struct Question {
  xcb_window_t window;
  Pending<xcb_get_window_attributes_reply_t> attributes;
  Pending<xcb_get_geometry_reply_t> geometry;
  Pending<xcb_query_tree_reply_t> tree;
};

Question ask(Server& server, xcb_window_t w) {
  xcb_connection_t* xcb = server.xcb();
  return {w, server.pend(xcb_get_window_attributes(xcb, w), xcb_get_window_attributes_reply, "GetWindowAttributes"),
          server.pend(xcb_get_geometry(xcb, w), xcb_get_geometry_reply, "GetGeometry"),
          server.pend(xcb_query_tree(xcb, w), xcb_query_tree_reply, "QueryTree")};
}

struct ClaimsQuestion {
  PendingProperty app_class, type;
};

ClaimsQuestion ask_claims(Server& server, xcb_window_t w) {
  return {ask_property(server, w, XCB_ATOM_WM_CLASS, 64),
          ask_property(server, w, server.atoms().net_wm_window_type, 8)};
}

Result<WindowClaims> read_claims(Server& server, ClaimsQuestion& question) {
  const Property app_class = TRY(question.app_class.get()), type = TRY(question.type.get());
  WindowClaims claims;
  claims.app_class = second_string(app_class.bytes());
  const Atoms& atoms = server.atoms();
  for (const std::uint32_t word : type.words()) {
    claims.panel = claims.panel || word == atoms.net_wm_window_type_dock || word == atoms.net_wm_window_type_desktop;
  }
  return claims;
}

// A window that draws, as the server described it.
struct Node {
  xcb_window_t window = XCB_NONE;
  std::size_t top = 0;             // index of its top-level window
  xcb_window_t branch = XCB_NONE;  // the child of the top-level window that it is in
  PixelRect place;
  int border = 0;
  int depth = 0;
  bool mapped = false;
  std::vector<xcb_window_t> children;
};

bool vanished(const Error& error) { return error.code == Code::not_found; }

// Nothing when the window is gone or never draws.
Result<std::optional<Node>> read(Question& question, PixelPoint parent) {
  const auto attributes = question.attributes.get();
  const auto geometry = question.geometry.get();
  const auto tree = question.tree.get();
  for (const Error* error : {attributes.ok() ? nullptr : &attributes.error(),
                             geometry.ok() ? nullptr : &geometry.error(), tree.ok() ? nullptr : &tree.error()}) {
    if (error != nullptr && !vanished(*error)) return *error;
    if (error != nullptr) return std::optional<Node>();
  }
  if ((*attributes)->_class == XCB_WINDOW_CLASS_INPUT_ONLY) return std::optional<Node>();
  const auto& g = **geometry;
  Node node;
  node.window = question.window;
  node.place = {parent.x + g.x + g.border_width, parent.y + g.y + g.border_width, g.width, g.height};
  node.border = g.border_width;
  node.depth = g.depth;
  node.mapped = (*attributes)->map_state == XCB_MAP_STATE_VIEWABLE;
  const std::span children(xcb_query_tree_children(tree->get()),
                           static_cast<std::size_t>(xcb_query_tree_children_length(tree->get())));
  node.children.assign(children.begin(), children.end());
  return std::optional<Node>(std::move(node));
}

std::vector<PixelRect> outline_of(Result<Owned<xcb_shape_get_rectangles_reply_t>>& shape, const Node& node,
                                  const PixelRect& whole) {
  if (!shape.ok()) return {whole};
  std::vector<PixelRect> parts;
  const xcb_rectangle_t* rectangles = xcb_shape_get_rectangles_rectangles(shape->get());
  for (int i = 0; i < xcb_shape_get_rectangles_rectangles_length(shape->get()); ++i) {
    const xcb_rectangle_t& r = rectangles[i];
    const PixelRect part = intersect({node.place.x + r.x, node.place.y + r.y, r.width, r.height}, whole);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

class TreeReader {
 public:
  TreeReader(Server& server, MaskOwners& owners, const Shows& shows, FrameParts& known)
      : server_(server), owners_(owners), shows_(shows), known_(known) {}

  Result<std::vector<TopLevel>> run(std::vector<xcb_window_t> windows, bool unmapped_too) {
    std::vector<Node> level = TRY(read_top(windows, unmapped_too));
    for (int depth = 0; depth < kDeepest && !level.empty(); ++depth) level = TRY(descend(level));
    for (std::size_t i = 0; i < tops_.size(); ++i) settle_frame(i);
    if (unmapped_too) learned_.merge(known_.frames);  // the others were not looked at
    known_.frames = std::move(learned_);
    return std::move(tops_);
  }

 private:
  struct Frame {
    bool is = false;  // of the window manager
    bool all_seen = true;
    bool any_seen = false;
    std::vector<ShownWindow> decoration;
    FrameParts::Parts parts;
    bool remembered = false;
    PixelPoint origin;
    std::set<xcb_window_t> used;                                // branches with windows of others
    std::vector<std::pair<xcb_window_t, ShownWindow>> learned;  // with the branch
  };

  Result<std::vector<Node>> read_top(const std::vector<xcb_window_t>& windows, bool unmapped_too) {
    const bool shapes = server_.extensions().shape.present();
    std::vector<Question> questions;
    std::vector<ClaimsQuestion> claims;
    std::vector<Pending<xcb_shape_get_rectangles_reply_t>> outlines;
    for (const xcb_window_t window : windows) {
      questions.push_back(ask(server_, window));
      claims.push_back(ask_claims(server_, window));
      if (!shapes) continue;
      outlines.push_back(server_.pend(xcb_shape_get_rectangles(server_.xcb(), window, XCB_SHAPE_SK_BOUNDING),
                                      xcb_shape_get_rectangles_reply, "ShapeGetRectangles"));
    }
    std::vector<Node> inside;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      auto node = TRY(read(questions[i], {0, 0}));
      if (!node || (!node->mapped && !unmapped_too)) continue;
      const auto said = read_claims(server_, claims[i]);
      if (!said.ok() && !vanished(said.error())) return said.error();
      node->top = tops_.size();
      const int b = node->border;
      TopLevel top;
      top.window = node->window;
      top.place = {node->place.x - b, node->place.y - b, node->place.width + 2 * b, node->place.height + 2 * b};
      top.outline = {top.place};
      if (shapes) {
        auto shape = outlines[i].get();
        if (!shape.ok() && !vanished(shape.error())) return shape.error();
        top.outline = outline_of(shape, *node, top.place);
      }
      Frame frame;
      frame.is = owners_.of_manager(node->window);
      if (frame.is) {
        frame.decoration.push_back({node->window, node->place, node->depth});
        recall(frame, *node);
      } else if (seen(node->window, said.ok() ? *said : WindowClaims{})) {
        top.shown.push_back({node->window, node->place, node->depth});
      } else {
        top.hidden = top.denied = true;
      }
      if (!frame.is && !top.hidden) top.allowed.push_back(node->window);
      const bool look_inside = !top.hidden;
      tops_.push_back(std::move(top));
      frames_.push_back(std::move(frame));
      if (look_inside) inside.push_back(std::move(*node));
    }
    return inside;
  }

  // The children of these windows that may be seen, for the next step down.
  Result<std::vector<Node>> descend(const std::vector<Node>& parents) {
    std::vector<Question> questions;
    std::vector<std::optional<ClaimsQuestion>> claims;
    std::vector<const Node*> parent_of;
    for (const Node& parent : parents) {
      for (const xcb_window_t child : parent.children) {
        if (++asked_ > kMostWindows) break;
        questions.push_back(ask(server_, child));
        claims.emplace_back();
        if (owners_.client(child) != owners_.client(parent.window)) claims.back().emplace(ask_claims(server_, child));
        parent_of.push_back(&parent);
      }
    }
    std::vector<Node> inside;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Node& parent = *parent_of[i];
      auto node = TRY(read(questions[i], {parent.place.x, parent.place.y}));
      if (!node) continue;
      node->top = parent.top;
      node->branch = parent.branch != XCB_NONE ? parent.branch : node->window;
      TopLevel& top = tops_[node->top];
      Frame& frame = frames_[node->top];
      bool show = true;
      if (claims[i]) {
        const auto said = read_claims(server_, *claims[i]);
        if (!said.ok() && !vanished(said.error())) return said.error();
        show = seen(node->window, said.ok() ? *said : WindowClaims{});
        if (show) top.allowed.push_back(node->window);
        if (!show) top.denied = true;
        frame.used.insert(node->branch);
        if (!show && !node->mapped && parent.mapped) continue;  // draws nothing
        (show ? frame.any_seen : top.hidden) = true;
        if (!show) frame.all_seen = false;
      }
      if (!show) continue;
      const ShownWindow shown{node->window, node->place, node->depth};
      if (frame.is && owners_.of_manager(node->window)) {
        if (node->mapped) frame.decoration.push_back(shown);
        if (node->mapped) frame.learned.emplace_back(node->branch, shown);
      } else {
        top.shown.push_back(shown);
      }
      if (!node->children.empty()) inside.push_back(std::move(*node));
    }
    return inside;
  }

  // Spares the children of a frame that nothing has changed about.
  void recall(Frame& frame, Node& node) {
    frame.origin = {node.place.x, node.place.y};
    const auto found = known_.frames.find(node.window);
    if (found != known_.frames.end() && found->second.size == node.place.size() &&
        found->second.whole == node.children && Clock::now() - found->second.learned < kFramePartsAge) {
      frame.remembered = true;
      frame.parts = found->second;
      for (ShownWindow part : frame.parts.shown) {
        part.place.x += frame.origin.x;
        part.place.y += frame.origin.y;
        frame.decoration.push_back(part);
      }
      const auto& plain = frame.parts.plain;
      std::erase_if(node.children,
                    [&](xcb_window_t child) { return std::find(plain.begin(), plain.end(), child) != plain.end(); });
      return;
    }
    frame.parts.whole = node.children;
    frame.parts.size = node.place.size();
    frame.parts.learned = Clock::now();
  }

  void remember(Frame& frame, xcb_window_t window) {
    if (!frame.remembered) {
      for (const xcb_window_t child : frame.parts.whole) {
        if (!frame.used.contains(child) && owners_.of_manager(child)) frame.parts.plain.push_back(child);
      }
      for (const auto& [branch, part] : frame.learned) {
        if (frame.used.contains(branch)) continue;
        ShownWindow relative = part;
        relative.place.x -= frame.origin.x;
        relative.place.y -= frame.origin.y;
        frame.parts.shown.push_back(relative);
      }
    }
    learned_.emplace(window, std::move(frame.parts));
  }

  // A frame belongs to what is in it; one with nothing in it is a menu or a box of the window manager itself.
  void settle_frame(std::size_t i) {
    Frame& frame = frames_[i];
    TopLevel& top = tops_[i];
    if (!frame.is) return;
    const bool show = frame.any_seen ? frame.all_seen : frame.all_seen ? seen(top.window, {}) : false;
    if (!show && !frame.any_seen) top.hidden = true;
    remember(frame, top.window);
    if (show) top.shown.insert(top.shown.begin(), frame.decoration.begin(), frame.decoration.end());
  }

  bool seen(xcb_window_t window, const WindowClaims& claims) { return shows_(owners_.receiver(window, claims)); }

  Server& server_;
  MaskOwners& owners_;
  const Shows& shows_;
  std::vector<TopLevel> tops_;
  std::vector<Frame> frames_;
  FrameParts& known_;
  std::map<xcb_window_t, FrameParts::Parts> learned_;
  std::size_t asked_ = 0;
};

}  // namespace

Result<std::vector<TopLevel>> read_tree(Server& server, MaskOwners& owners, const Shows& shows, FrameParts& frames,
                                        xcb_window_t only) {
  if (frames.epoch != server.epoch()) frames = {server.epoch(), {}};
  auto tree_pending = server.pend(xcb_query_tree(server.xcb(), server.root()), xcb_query_tree_reply, "QueryTree");
  TRY(owners.read());
  const auto tree = TRY(tree_pending.get());
  const std::span children(xcb_query_tree_children(tree.get()),
                           static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())));
  std::vector<xcb_window_t> windows(children.begin(), children.end());
  if (only != XCB_NONE) std::erase_if(windows, [only](xcb_window_t window) { return window != only; });
  return TreeReader(server, owners, shows, frames).run(std::move(windows), only != XCB_NONE);
}

}  // namespace handrail::x11

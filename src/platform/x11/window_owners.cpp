#include "platform/x11/window_owners.h"

#include <fmt/format.h>

#include <algorithm>

namespace handrail::x11 {
namespace {

// Windows nest a few levels; the bound is for a tree that changes under the walk.
constexpr int kMaxDepth = 64;
// A window that goes away under the walk starts it again.
constexpr int kAttempts = 5;
constexpr std::size_t kMostLines = 8;

template <class T, class Walk>
Result<T> again_if_gone(Walk walk) {
  Result<T> result = walk();
  for (int i = 1; i < kAttempts && !result.ok() && result.error().code == Code::not_found; ++i) result = walk();
  return result;
}

// The links of a line, asked about all at once: each is a question and the answer that is hoped for.
template <class Reply, xcb_window_t Reply::*kAnswer>
class Links {
 public:
  void add(Pending<Reply> pending, xcb_window_t hoped) { links_.push_back({std::move(pending), hoped}); }
  Result<bool> hold() {
    for (Link& link : links_) {
      const auto reply = link.pending.get();
      if (!reply.ok() && reply.error().code == Code::not_found) return false;
      if (!reply.ok()) return reply.error();
      if (reply->get()->*kAnswer != link.hoped) return false;
    }
    return true;
  }

 private:
  struct Link {
    Pending<Reply> pending;
    xcb_window_t hoped;
  };
  std::vector<Link> links_;
};
using WayDown = Links<xcb_translate_coordinates_reply_t, &xcb_translate_coordinates_reply_t::child>;
using WayUp = Links<xcb_query_tree_reply_t, &xcb_query_tree_reply_t::parent>;

Pending<xcb_translate_coordinates_reply_t> ask_child(Server& server, xcb_window_t window, PixelPoint pixel) {
  return server.pend(xcb_translate_coordinates(server.xcb(), server.root(), window, static_cast<std::int16_t>(pixel.x),
                                               static_cast<std::int16_t>(pixel.y)),
                     xcb_translate_coordinates_reply, "TranslateCoordinates");
}

Pending<xcb_query_tree_reply_t> ask_parent(Server& server, xcb_window_t window) {
  return server.pend(xcb_query_tree(server.xcb(), window), xcb_query_tree_reply, "QueryTree");
}

WayDown ask_way_down(Server& server, const std::vector<xcb_window_t>& line, PixelPoint pixel) {
  WayDown way;
  xcb_window_t window = server.root();
  for (auto child = line.rbegin(); child != line.rend(); ++child) {
    way.add(ask_child(server, window, pixel), *child);
    window = *child;
  }
  way.add(ask_child(server, window, pixel), XCB_WINDOW_NONE);
  return way;
}

WayUp ask_way_up(Server& server, const std::vector<xcb_window_t>& line) {
  WayUp way;
  for (std::size_t i = 0; i < line.size(); ++i) {
    way.add(ask_parent(server, line[i]), i + 1 < line.size() ? line[i + 1] : server.root());
  }
  return way;
}

}  // namespace

Result<std::vector<xcb_window_t>> lineage(Server& server, xcb_window_t window) {
  std::vector<xcb_window_t> line;
  for (int depth = 0; depth < kMaxDepth && window != server.root() && window != XCB_WINDOW_NONE; ++depth) {
    line.push_back(window);
    window = TRY(ask_parent(server, window).get())->parent;
  }
  return line;
}

Result<xcb_atom_t> WindowOwners::manager_selection(Server& server) {
  if (epoch_ != server.epoch()) {
    const std::string name = fmt::format("WM_S{}", server.screen_number());
    manager_selection_ =
        TRY(server.reply(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(name.size()), name.data()),
                         xcb_intern_atom_reply, "InternAtom"))
            ->atom;
    epoch_ = server.epoch();
    last_at_.clear();
    lines_.clear();
  }
  return manager_selection_;
}

Result<ManagerQuestion> WindowOwners::ask_managers(Server& server) {
  return ManagerQuestion(server, TRY(manager_selection(server)));
}

Result<bool> WindowOwners::is_window_manager(Server& server, ClientBase client) {
  auto question = TRY(ask_managers(server));
  return TRY(question.answer(server)).is(client);
}

template <class Links>
Result<std::optional<Receiver>> WindowOwners::as_before(Server& server, const Line& line, Links links) {
  OwnerQuestions owner(server, line, TRY(manager_selection(server)));
  if (!TRY(links.hold())) return std::optional<Receiver>();
  return std::optional(TRY(owner.answer(server, identify_)));
}

Result<Receiver> WindowOwners::describe(Server& server, Line line) {
  remember(line);
  return OwnerQuestions(server, std::move(line), TRY(manager_selection(server))).answer(server, identify_);
}

void WindowOwners::remember(const Line& line) {
  if (line.empty()) return;
  std::erase_if(lines_, [&](const Line& known) { return known.front() == line.front(); });
  lines_.push_back(line);
  if (lines_.size() > kMostLines) lines_.pop_front();
}

Result<Receiver> WindowOwners::at(Server& server, PixelPoint pixel) {
  return again_if_gone<Receiver>([&]() -> Result<Receiver> {
    TRY(manager_selection(server));
    // Where the last one was the next one often is.
    const Line before = last_at_;
    auto same = TRY(as_before(server, before, ask_way_down(server, before, pixel)));
    if (same) return std::move(*same);
    Line line;
    xcb_window_t window = server.root();
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      window = TRY(ask_child(server, window, pixel).get())->child;
      if (window == XCB_WINDOW_NONE) break;
      line.insert(line.begin(), window);
    }
    last_at_ = line;
    return describe(server, std::move(line));
  });
}

Result<Receiver> WindowOwners::focus(Server& server) {
  return again_if_gone<Receiver>([&]() -> Result<Receiver> {
    const auto focus = TRY(server.reply(xcb_get_input_focus(server.xcb()), xcb_get_input_focus_reply, "GetInputFocus"));
    if (focus->focus == XCB_WINDOW_NONE) {
      Receiver receiver;
      receiver.kind = ReceiverKind::nobody;
      return receiver;
    }
    const bool by_pointer = focus->focus == XCB_INPUT_FOCUS_POINTER_ROOT;
    const xcb_window_t focused = by_pointer ? server.root() : focus->focus;
    // A key goes to the window under the pointer when that is inside the focused one.
    xcb_window_t receiver = focused;
    xcb_window_t deepest = focused;
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      const auto pointer =
          TRY(server.reply(xcb_query_pointer(server.xcb(), deepest), xcb_query_pointer_reply, "QueryPointer"));
      if (pointer->child == XCB_WINDOW_NONE) break;
      deepest = pointer->child;
      // Another client's window in the app's own is who may get it; the app's own children are the app.
      if (by_pointer || client_of(server, deepest) != client_of(server, focused)) receiver = deepest;
    }
    return of(server, receiver);
  });
}

Result<Receiver> WindowOwners::of(Server& server, xcb_window_t window) {
  TRY(manager_selection(server));
  for (auto known = lines_.rbegin(); known != lines_.rend(); ++known) {
    const auto found = std::ranges::find(*known, window);
    if (found == known->end()) continue;
    const Line line(found, known->end());
    auto same = TRY(as_before(server, line, ask_way_up(server, line)));
    if (same) return std::move(*same);
    break;
  }
  return describe(server, TRY(lineage(server, window)));
}

Result<Receiver> WindowOwners::client(Server& server, ClientBase client, xcb_window_t window) {
  Receiver receiver;
  receiver.window = window;
  if (window != server.root() && client_of(server, window) == client) {
    auto described = of(server, window);
    // It may have taken its window away since.
    if (described.ok() || described.error().code != Code::not_found) return described;
  }
  PidQuestion pid(server, client);
  auto asked = TRY(ask_managers(server));
  receiver.app = identity_of(TRY(pid.answer()), identify_);
  receiver.kind = TRY(asked.answer(server)).may_be(client) ? ReceiverKind::window_manager
                  : window == server.root()                ? ReceiverKind::root
                                                           : ReceiverKind::app;
  return receiver;
}

Receiver WindowOwners::process(std::int64_t pid) const {
  Receiver receiver;
  receiver.kind = ReceiverKind::app;
  receiver.app = identity_of(pid, identify_);
  return receiver;
}

}  // namespace handrail::x11

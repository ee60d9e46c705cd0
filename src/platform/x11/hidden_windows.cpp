#include "platform/x11/hidden_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "platform/x11/atoms.h"
#include "platform/x11/dial.h"
#include "platform/x11/mask_owners.h"
#include "platform/x11/properties.h"

namespace handrail::x11 {
namespace {

constexpr std::uint32_t kIconicState = 3;  // ICCCM 4.1.3.1

// A window that a person would call one: what is in a frame, or a top-level window without one.
struct Candidate {
  xcb_window_t window = XCB_NONE;
  Receiver owner;
  bool panel = false;  // window managers do not minimise them
};

struct Scene {
  bool managed = false;
  xcb_window_t active = XCB_NONE;
  std::vector<Candidate> windows;  // that show now, lowest first
};

struct Asked {
  xcb_window_t window;
  Pending<xcb_get_window_attributes_reply_t> attributes;
  Pending<xcb_query_tree_reply_t> tree;
  PendingProperty app_class, type;
};

Asked ask(Server& server, xcb_window_t w) {
  return {
      w,
      server.pend(xcb_get_window_attributes(server.xcb(), w), xcb_get_window_attributes_reply, "GetWindowAttributes"),
      server.pend(xcb_query_tree(server.xcb(), w), xcb_query_tree_reply, "QueryTree"),
      ask_property(server, w, XCB_ATOM_WM_CLASS, 64), ask_property(server, w, server.atoms().net_wm_window_type, 8)};
}

struct Found {
  bool shows = false, own_way = false;  // mapped; override-redirect
  std::vector<xcb_window_t> children;
  WindowClaims claims;
};

// Nothing when the window is gone or never draws.
Result<std::optional<Found>> read(Server& server, Asked& asked) {
  auto attributes = asked.attributes.get();
  auto tree = asked.tree.get();
  auto app_class = asked.app_class.get();
  auto type = asked.type.get();
  for (const Error* error : {attributes.ok() ? nullptr : &attributes.error(), tree.ok() ? nullptr : &tree.error(),
                             app_class.ok() ? nullptr : &app_class.error(), type.ok() ? nullptr : &type.error()}) {
    if (error != nullptr && error->code != Code::not_found) return *error;
    if (error != nullptr) return std::optional<Found>();
  }
  if ((*attributes)->_class == XCB_WINDOW_CLASS_INPUT_ONLY) return std::optional<Found>();
  Found found;
  found.shows = (*attributes)->map_state == XCB_MAP_STATE_VIEWABLE;
  found.own_way = (*attributes)->override_redirect != 0;
  const std::span children(xcb_query_tree_children(tree->get()),
                           static_cast<std::size_t>(xcb_query_tree_children_length(tree->get())));
  found.children.assign(children.begin(), children.end());
  found.claims.app_class = second_string(app_class->bytes());
  for (const std::uint32_t word : type->words()) {
    found.claims.panel |=
        word == server.atoms().net_wm_window_type_dock || word == server.atoms().net_wm_window_type_desktop;
  }
  return std::optional<Found>(std::move(found));
}

class SceneReader {
 public:
  SceneReader(Server& server, const Identify& identify) : server_(server), owners_(server, identify) {}

  Result<Scene> run() {
    auto focus_pending = server_.pend(xcb_get_input_focus(server_.xcb()), xcb_get_input_focus_reply, "GetInputFocus");
    auto check_pending = ask_property(server_, server_.root(), server_.atoms().net_supporting_wm_check, 1);
    auto tree_pending = server_.pend(xcb_query_tree(server_.xcb(), server_.root()), xcb_query_tree_reply, "QueryTree");
    TRY(owners_.read());
    const xcb_window_t focus = TRY(focus_pending.get())->focus;
    const Property check = TRY(check_pending.get());
    const auto tree = TRY(tree_pending.get());
    const std::span children(xcb_query_tree_children(tree.get()),
                             static_cast<std::size_t>(xcb_query_tree_children_length(tree.get())));
    scene_.managed =
        !check.words().empty() && std::find(children.begin(), children.end(), check.words()[0]) != children.end();
    TRY(look({children.begin(), children.end()}, 0));
    TRY(find_active(focus));
    return std::move(scene_);
  }

 private:
  // Frames are windows of the window manager, up to a few deep; what is in them belongs to others.
  Status look(const std::vector<xcb_window_t>& windows, int depth) {
    std::vector<Asked> asked;
    for (const xcb_window_t window : windows) asked.push_back(ask(server_, window));
    for (Asked& question : asked) {
      const auto found = TRY(read(server_, question));
      if (!found || !found->shows) continue;
      if (owners_.of_manager(question.window)) {
        if (depth < 3) TRY(look(found->children, depth + 1));
      } else if (depth > 0 || !found->own_way) {
        const Receiver owner = owners_.receiver(question.window, found->claims);
        scene_.windows.push_back({question.window, owner, found->claims.panel});
      }
    }
    return {};
  }

  Status find_active(xcb_window_t at) {
    while (at != XCB_NONE && at != XCB_INPUT_FOCUS_POINTER_ROOT && at != server_.root()) {
      for (const Candidate& candidate : scene_.windows) {
        if (candidate.window == at) scene_.active = at;
      }
      if (scene_.active != XCB_NONE) return {};
      const auto tree = server_.reply(xcb_query_tree(server_.xcb(), at), xcb_query_tree_reply, "QueryTree");
      if (!tree.ok() && tree.error().code != Code::not_found) return tree.error();
      if (!tree.ok()) return {};
      at = (*tree)->parent;
    }
    return {};
  }

  Server& server_;
  MaskOwners owners_;
  Scene scene_;
};

void minimise(Server& server, xcb_window_t window, bool managed) {
  if (!managed) {
    xcb_unmap_window(server.xcb(), window);
    return;
  }
  xcb_client_message_event_t message{};
  message.response_type = XCB_CLIENT_MESSAGE;
  message.format = 32;
  message.window = window;
  message.type = server.atoms().wm_change_state;
  message.data.data32[0] = kIconicState;
  xcb_send_event(server.xcb(), 0, server.root(),
                 XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY,
                 reinterpret_cast<const char*>(&message));
}

// Adds what is to be hidden now to what is already; a window that is new stands above those that were there before.
void add(HiddenWindows& record, const Scene& scene, const std::vector<xcb_window_t>& denied) {
  if (record.windows.empty()) record.active = scene.active;
  for (const Candidate& candidate : scene.windows) {
    const bool hide = std::find(denied.begin(), denied.end(), candidate.window) != denied.end();
    const auto known = std::find_if(record.windows.begin(), record.windows.end(),
                                    [&](const HiddenWindow& w) { return w.window == candidate.window; });
    if (known == record.windows.end()) {
      record.windows.push_back({candidate.window, hide});
    } else if (hide) {
      known->hidden = true;
    }
  }
}

struct Disconnect {
  void operator()(xcb_connection_t* xcb) const { xcb_disconnect(xcb); }
};

}  // namespace

X11Isolation::X11Isolation(std::shared_ptr<Connection> connection, std::shared_ptr<Custody> custody, Identify identify,
                           Stays stays)
    : connection_(std::move(connection)),
      custody_(std::move(custody)),
      identify_(std::move(identify)),
      stays_(std::move(stays)) {}

Status X11Isolation::hide(const std::function<bool(const Receiver& owner)>& shows, Deadline deadline) {
  const std::lock_guard lock(mutex_);
  EventWatch watch(*connection_);
  const Scene scene = TRY(connection_->call<Scene>(
      deadline, [this](Server& server) -> Result<Scene> { return SceneReader(server, identify_).run(); }));
  std::vector<xcb_window_t> denied;
  for (const Candidate& candidate : scene.windows) {
    const bool stays = stays_ && candidate.owner.app.pid > 0 && stays_(candidate.owner.app.pid);
    if (!candidate.panel && !stays && !shows(candidate.owner)) denied.push_back(candidate.window);
  }
  if (denied.empty()) return {};

  HiddenWindows record = record_;
  add(record, scene, denied);
  const std::string bytes = encode(record);
  if (custody_) TRY(custody_->keep(Kept::windows, bytes));
  record_ = record;
  TRY(connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    if (!record_windows(server.xcb(), server.root(), bytes)) {
      return make_error(Code::backend_error, "The X server did not keep the record of hidden windows.");
    }
    for (const xcb_window_t window : denied) {
      server.watch(window, XCB_EVENT_MASK_STRUCTURE_NOTIFY);
      minimise(server, window, scene.managed);
    }
    return Unit{};
  }));
  const auto gone = [&]() -> Result<bool> {
    return connection_->call<bool>(deadline, [&](Server& server) -> Result<bool> {
      for (const xcb_window_t window : denied) {
        const auto attributes = server.reply(xcb_get_window_attributes(server.xcb(), window),
                                             xcb_get_window_attributes_reply, "GetWindowAttributes");
        if (!attributes.ok() && attributes.error().code != Code::not_found) return attributes.error();
        if (attributes.ok() && (*attributes)->map_state == XCB_MAP_STATE_VIEWABLE) return false;
      }
      return true;
    });
  };
  const Status hidden = watch.until(deadline.within(kBackendPatience), {}, gone);
  const auto unwatched = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    for (const xcb_window_t window : denied) server.unwatch(window, XCB_EVENT_MASK_STRUCTURE_NOTIFY);
    return Unit{};
  });
  if (!hidden.ok() && hidden.error().code == Code::timeout) {
    return make_error(Code::timeout, "The window manager did not minimise every window of apps that are not granted.")
        .with_hint("Pictures leave them out all the same; isolation `mask` needs no minimising.");
  }
  if (hidden.ok() && !unwatched.ok()) return unwatched.error();
  return hidden;
}

Status X11Isolation::restore(Deadline deadline) {
  const std::lock_guard lock(mutex_);
  if (record_.windows.empty()) return {};
  // On a connection of its own, as the guardian does it.
  const Dialled dialled = TRY(dial(connection_->display_name(), deadline, [](int) {}));
  const std::unique_ptr<xcb_connection_t, Disconnect> xcb(dialled.xcb);
  auto screen = xcb_setup_roots_iterator(xcb_get_setup(dialled.xcb));
  for (int i = 0; i < dialled.screen_number && screen.rem > 1; ++i) xcb_screen_next(&screen);
  TRY(restore_windows(dialled.xcb, screen.data->root, encode(record_), std::min(deadline.left(), kBackendPatience)));
  record_ = {};
  if (custody_) TRY(custody_->keep(Kept::windows, {}));
  return {};
}

}  // namespace handrail::x11

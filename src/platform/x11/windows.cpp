#include "platform/x11/windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/x11/atoms.h"
#include "platform/x11/properties.h"
#include "platform/x11/window_list.h"
#include "platform/x11/window_requests.h"
#include "platform/x11/workspaces.h"

namespace handrail::x11 {
namespace {

// A window manager has answered, and the window still is not where it was asked to be: how long it may
// take to follow, as some let the app draw its new size first.
constexpr Millis kFollow{150};
// Openbox calls a window minimised before it takes it off the screen; some compositing ones never do.
constexpr Millis kVanish{1000};
constexpr std::uint32_t kWindowEvents =
    XCB_EVENT_MASK_STRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_FOCUS_CHANGE;
constexpr std::uint32_t kRootEvents = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_PROPERTY_CHANGE;

// One change under way.
struct Change {
  ChangeWindow asked;
  double scale = 1;
  bool managed = false;
  WindowState before = WindowState::normal;
  PixelRect wanted;          // bounds
  PixelRect wanted_content;  // a manager moves the frame and its content one after the other
  WindowFacts last;          // as last seen
  std::uint64_t epoch = 0;
  // A window of ours that the manager is asked about after the change. It works off its messages in
  // order, so its answer here means that it has dealt with the change.
  xcb_window_t fence = XCB_NONE;
  bool answered = false;

  xcb_window_t id() const { return static_cast<xcb_window_t>(asked.window); }
};

// The window manager may do less than was asked for, and has said so when it has answered.
bool settles(WindowVerb verb) { return places(verb) || verb == WindowVerb::maximise || verb == WindowVerb::raise; }

bool same_place(const PixelRect& a, const PixelRect& b) { return a.x == b.x && a.y == b.y; }

Error gone(WindowId window) {
  return make_error(Code::not_found, fmt::format("There is no window {:#x} among the managed ones.", window))
      .with_hint("Look again. `list_windows` shows the windows that are there.");
}

Result<xcb_window_t> ask_manager(Server& server, const Atoms& atoms) {
  if (!TRY(manager_knows(server, atoms.net_request_frame_extents))) return xcb_window_t{XCB_NONE};
  const xcb_window_t window = xcb_generate_id(server.xcb());
  xcb_create_window(server.xcb(), XCB_COPY_FROM_PARENT, window, server.root(), -10, -10, 1, 1, 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, nullptr);
  server.watch(window, XCB_EVENT_MASK_PROPERTY_CHANGE);
  tell_manager(server, window, atoms.net_request_frame_extents, {});
  return window;
}

Status check(Server& server, const ChangeWindow& asked, const Window& now, bool managed) {
  if (asked.verb == WindowVerb::maximise && now.state == WindowState::minimised) {
    return make_error(Code::argument_invalid, fmt::format("Window {:#x} is minimised.", asked.window))
        .with_hint("Call `restore_window` first.");
  }
  if (asked.verb == WindowVerb::send && managed) return check_workspace(server, asked.workspace, SendTo::one_or_all);
  return {};
}

// Whether no window that shows covers any of it.
Result<bool> on_top(Server& server, const Change& change) {
  const WindowList list = TRY(read_windows(server, change.scale));
  const auto mine =
      std::ranges::find(list.windows, change.asked.window, [](const WindowFacts& f) { return f.window.id; });
  if (mine == list.windows.end()) return false;
  return std::none_of(mine + 1, list.windows.end(), [&](const WindowFacts& above) {
    return above.window.visible && !intersect(above.window.bounds, mine->window.bounds).empty();
  });
}

Result<Change> start(Server& server, const ChangeWindow& asked, double scale) {
  Change change;
  change.asked = asked;
  change.scale = scale;
  change.epoch = server.epoch();
  if (change.id() != asked.window) return gone(asked.window);
  WindowList list = TRY(read_window(server, change.id(), scale));
  if (list.windows.empty()) return gone(asked.window);
  change.managed = list.managed;
  change.last = std::move(list.windows.front());
  TRY(check(server, asked, change.last.window, change.managed));
  change.before = change.last.window.state;
  const PixelRect &bounds = change.last.bounds, &content = change.last.content;
  change.wanted = wanted_bounds(asked, change.last, scale);
  change.wanted_content = {content.x + change.wanted.x - bounds.x, content.y + change.wanted.y - bounds.y,
                           content.width + change.wanted.width - bounds.width,
                           content.height + change.wanted.height - bounds.height};

  server.watch(server.root(), kRootEvents);
  server.watch(change.id(), kWindowEvents);
  TRY(send_change(server, asked, change.last, change.wanted, change.managed));
  const bool asks = settles(asked.verb) || asked.verb == WindowVerb::restore;
  if (change.managed && asks) change.fence = TRY(ask_manager(server, server.atoms()));
  return change;
}

// Looks whether it has happened, and keeps what was seen.
Result<bool> happened(Server& server, Change& change) {
  const WindowList list = TRY(read_window(server, change.id(), change.scale));
  const bool closing = change.asked.verb == WindowVerb::close;
  if (list.windows.empty()) return closing ? Result<bool>(true) : Result<bool>(gone(change.asked.window));
  const PixelRect before = change.last.bounds;
  change.last = list.windows.front();
  if (change.fence != XCB_NONE) {
    change.answered = TRY(ask_property(server, change.fence, server.atoms().net_frame_extents, 4).get()).present();
  } else {
    change.answered = change.answered || change.last.bounds != before;
  }
  const Window& now = change.last.window;
  const bool followed = change.answered || change.fence == XCB_NONE;
  switch (change.asked.verb) {
    case WindowVerb::focus: return now.focused;
    case WindowVerb::move:
      return same_place(change.last.bounds, change.wanted) && same_place(change.last.content, change.wanted_content);
    case WindowVerb::resize:
      return change.last.bounds.size() == change.wanted.size() &&
             change.last.content.size() == change.wanted_content.size();
    case WindowVerb::place: return change.last.bounds == change.wanted && change.last.content == change.wanted_content;
    case WindowVerb::minimise:
      change.answered = now.state == WindowState::minimised;
      return change.answered && !now.visible;
    case WindowVerb::close: return !change.managed && !now.visible;
    // The state is told before the frame has its new size.
    case WindowVerb::maximise: return now.state == WindowState::maximised && followed;
    case WindowVerb::restore:
      return followed && (change.before == WindowState::minimised ? now.state != WindowState::minimised
                                                                  : now.state == WindowState::normal);
    case WindowVerb::raise: return on_top(server, change);
    case WindowVerb::send: return now.workspace == change.asked.workspace;
  }
  return false;
}

Error not_done(const Change& change) {
  const auto failed = [&](const char* what, const char* hint) {
    return make_error(Code::timeout, fmt::format("Window {:#x} {}", change.asked.window, what)).with_hint(hint);
  };
  switch (change.asked.verb) {
    case WindowVerb::focus:
      return failed("did not take the input focus in time.", "Take a screenshot; it may accept no keyboard input.");
    case WindowVerb::minimise: return failed("was not minimised in time.", "Take a screenshot before trying again.");
    case WindowVerb::close:
      return failed("did not close in time; it may be asking whether to save.",
                    "Take a screenshot and answer the app's question.");
    case WindowVerb::restore: return failed("was not restored in time.", "List the windows to see how it is.");
    case WindowVerb::send:
      return failed("was not sent to the workspace in time.", "List the windows to see where it is.");
    case WindowVerb::maximise:
    case WindowVerb::raise: return failed("was not changed in time.", "List the windows to see how it is.");
    case WindowVerb::move:
    case WindowVerb::resize:
    case WindowVerb::place: break;
  }
  return failed("was not placed in time.", "List the windows to see where it is.");
}

}  // namespace

X11Windows::X11Windows(std::shared_ptr<Connection> connection) : connection_(connection), layout_(connection) {}

Result<std::vector<Window>> X11Windows::list(Deadline deadline) {
  return connection_->call<std::vector<Window>>(deadline, [this](Server& server) -> Result<std::vector<Window>> {
    const auto displays = TRY(layout_.displays(server));
    WindowList list = TRY(read_windows(server, displays.front().scale));
    std::vector<Window> windows;
    for (WindowFacts& facts : list.windows) windows.push_back(std::move(facts.window));
    return windows;
  });
}

Result<Window> X11Windows::change(const ChangeWindow& asked, Permit permit, Deadline deadline, std::stop_token stop) {
  const Permit spent(std::move(permit));
  const bool sizes = asked.verb == WindowVerb::resize || asked.verb == WindowVerb::place;
  if (sizes && (asked.frame.width < 1 || asked.frame.height < 1)) {
    return make_error(Code::argument_invalid, "A window is at least 1 by 1.").with_field("frame", "a positive size");
  }
  if (stop.stop_requested()) return make_error(Code::cancelled, "The change was cancelled before it was asked for.");
  EventWatch watch(*connection_);
  auto started = connection_->call<Change>(deadline, [&](Server& server) -> Result<Change> {
    const auto displays = TRY(layout_.displays(server));
    return start(server, asked, displays.front().scale);
  });
  if (!started.ok()) return started.error();
  Change& change = *started;
  const auto look = [&]() -> Result<bool> {
    return connection_->call<bool>(deadline, [&](Server& server) { return happened(server, change); });
  };

  const bool minimising = asked.verb == WindowVerb::minimise;
  bool done = false;
  Status waited = watch.until(deadline, stop, [&]() -> Result<bool> {
    done = TRY(look());
    return done || ((settles(asked.verb) || minimising) && change.answered);
  });
  if (waited.ok() && !done) {
    // Settled elsewhere unless it follows: what is returned says where.
    waited = watch.until(deadline.within(minimising ? kVanish : kFollow), stop, look);
    if (!waited.ok() && waited.error().code == Code::timeout) waited = Status();
  }

  if (connection_->connected()) {
    // Only sends. When it fails, the server is gone and the selections with it.
    (void)connection_->call<Unit>(Deadline::in(kBackendPatience), [&](Server& server) -> Result<Unit> {
      if (server.epoch() != change.epoch) return Unit{};
      server.unwatch(server.root(), kRootEvents);
      server.unwatch(change.id(), kWindowEvents);
      if (change.fence != XCB_NONE) {
        server.unwatch(change.fence, XCB_EVENT_MASK_PROPERTY_CHANGE);
        xcb_destroy_window(server.xcb(), change.fence);
      }
      return Unit{};
    });
  }
  if (waited.ok()) return change.last.window;
  Error error = waited.error().code == Code::timeout ? not_done(change) : waited.error();
  return std::move(error).with_side_effects(SideEffects::possible);
}

}  // namespace handrail::x11

#include "platform/x11/input_fence.h"

#include <condition_variable>
#include <mutex>
#include <span>

#include "platform/x11/atoms.h"
#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

// How long to listen before asking whether the window is still there at all.
constexpr Millis kWindowCheck{100};
// Windows nest a few levels; the bound is for a tree that changes under the walk.
constexpr int kMaxDepth = 16;
// Qt sends its answer with StructureNotify, the others with SubstructureNotify.
constexpr std::uint32_t kAnswerEvents = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_STRUCTURE_NOTIFY;

// The window under the pointer: where keys go while the focus is PointerRoot.
Result<xcb_window_t> pointed_at(Server& server) {
  xcb_window_t window = server.root();
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const auto pointer =
        TRY(server.reply(xcb_query_pointer(server.xcb(), window), xcb_query_pointer_reply, "QueryPointer"));
    if (pointer->child == XCB_WINDOW_NONE) break;
    window = pointer->child;
  }
  return window;
}

bool lists(const xcb_get_property_reply_t& property, xcb_atom_t atom) {
  if (property.format != 32) return false;
  const auto* atoms = static_cast<const xcb_atom_t*>(xcb_get_property_value(&property));
  for (const xcb_atom_t entry : std::span(atoms, property.value_len)) {
    if (entry == atom) return true;
  }
  return false;
}

}  // namespace

AppFence::AppFence(std::shared_ptr<Connection> connection, std::uint32_t first_ping)
    : connection_(std::move(connection)),
      last_answer_(std::make_shared<std::atomic<std::uint32_t>>(0)),
      last_ping_(first_ping) {
  connection_->on_open([](Server& server) -> Status {
    server.watch(server.root(), kAnswerEvents);
    return {};
  });
  connection_->on_event([answer = last_answer_](Server& server, const xcb_generic_event_t& event) {
    if ((event.response_type & 0x7f) != XCB_CLIENT_MESSAGE) return;
    const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(event);
    if (message.type != server.atoms().wm_protocols || message.format != 32) return;
    if (message.data.data32[0] == server.atoms().net_wm_ping) answer->store(message.data.data32[1]);
  });
}

Result<KeyTarget> AppFence::target(Server& server) {
  const auto focus = TRY(server.reply(xcb_get_input_focus(server.xcb()), xcb_get_input_focus_reply, "GetInputFocus"));
  if (focus->focus == XCB_WINDOW_NONE) return KeyTarget{};
  return target_of(server, focus->focus == XCB_INPUT_FOCUS_POINTER_ROOT ? TRY(pointed_at(server)) : focus->focus);
}

KeyTarget AppFence::target_of(Server& server, xcb_window_t first) {
  // Toolkits put the focus on a child; the protocols are on the top-level window above it.
  xcb_window_t window = first;
  for (int depth = 0; depth < kMaxDepth && window != server.root() && window != XCB_WINDOW_NONE; ++depth) {
    auto pending_tree = server.pend(xcb_query_tree(server.xcb(), window), xcb_query_tree_reply, "QueryTree");
    auto protocols =
        server.reply(xcb_get_property(server.xcb(), 0, window, server.atoms().wm_protocols, XCB_ATOM_ATOM, 0, 64),
                     xcb_get_property_reply, "GetProperty");
    const auto tree = pending_tree.get();
    if (!protocols.ok() || !tree.ok()) break;
    if (lists(**protocols, server.atoms().net_wm_ping)) return KeyTarget{window, true};
    window = (*tree)->parent;
  }
  return KeyTarget{first, false};
}

Result<AppFence::Answer> AppFence::wait(KeyTarget target, Deadline deadline, std::stop_token stop) {
  const std::uint32_t stamp = ++last_ping_;
  EventWatch watch(*connection_);
  TRY(connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
    server.watch(server.root(), kAnswerEvents);
    xcb_client_message_event_t ping{};
    ping.response_type = XCB_CLIENT_MESSAGE;
    ping.format = 32;
    ping.window = target.window;
    ping.type = server.atoms().wm_protocols;
    ping.data.data32[0] = server.atoms().net_wm_ping;
    ping.data.data32[1] = stamp;
    ping.data.data32[2] = target.window;
    xcb_send_event(server.xcb(), 0, target.window, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&ping));
    return Unit{};
  }));
  while (true) {
    const Deadline slice = deadline.within(kWindowCheck);
    const Status answered = watch.until(slice, stop, [&]() -> Result<bool> { return last_answer_->load() == stamp; });
    if (answered.ok()) return Answer::answered;
    if (answered.error().code != Code::timeout || deadline.passed()) return answered.error();
    const auto alive = connection_->call<Unit>(deadline, [&](Server& server) -> Result<Unit> {
      TRY(server.reply(xcb_get_window_attributes(server.xcb(), target.window), xcb_get_window_attributes_reply,
                       "GetWindowAttributes"));
      return Unit{};
    });
    if (!alive.ok() && alive.error().code == Code::not_found) return Answer::window_gone;
    if (!alive.ok()) return alive.error();
  }
}

bool sleep_until(TimePoint until, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, stop, until, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace handrail::x11

#include "platform/x11/damage.h"

#include <xcb/damage.h>

#include <atomic>
#include <utility>

#include "platform/x11/extensions.h"

namespace handrail::x11 {

struct ChangeCounter::State {
  std::atomic<std::uint64_t> count = 0;
  // The rest belongs to the connection's thread.
  xcb_damage_damage_t damage = XCB_NONE;
  std::uint64_t epoch = 0;  // in which it was made
  bool dirty = false;       // the server holds damage that it has reported
  std::uint64_t told = 0;   // the last count that was returned
};

namespace {

// A fence for pixels too. Redirected windows are copied to the root when the server goes idle, or when
// somebody reads the root; only then is it damaged.
Status painted(Server& server) {
  TRY(server.reply(xcb_get_image(server.xcb(), XCB_IMAGE_FORMAT_Z_PIXMAP, server.root(), 0, 0, 1, 1, ~0U),
                   xcb_get_image_reply, "GetImage"));
  return {};
}

}  // namespace

ChangeCounter::ChangeCounter(std::shared_ptr<Connection> connection)
    : connection_(std::move(connection)), state_(std::make_shared<State>()) {
  connection_->on_event([state = state_](Server& server, const xcb_generic_event_t& event) {
    const Extension& damage = server.extensions().damage;
    if (!damage.present() || (event.response_type & 0x7f) != damage.first_event + XCB_DAMAGE_NOTIFY) return;
    if (reinterpret_cast<const xcb_damage_notify_event_t&>(event).damage != state->damage) return;
    state->dirty = true;
    ++state->count;
  });
}

Result<std::uint64_t> ChangeCounter::count(Deadline deadline) {
  return connection_->call<std::uint64_t>(deadline, [state = state_](Server& server) -> Result<std::uint64_t> {
    if (!server.extensions().damage.present()) {
      return make_error(Code::capability_unsupported, "The X server has no DAMAGE extension, so changes are not told.")
          .with_hint("Compare two screenshots instead.");
    }
    if (state->epoch != server.epoch()) {
      state->damage = xcb_generate_id(server.xcb());
      // NonEmpty would report the whole screen only.
      TRY(server.check(xcb_damage_create_checked(server.xcb(), state->damage, server.root(),
                                                 XCB_DAMAGE_REPORT_LEVEL_DELTA_RECTANGLES),
                       "DamageCreate"));
      state->epoch = server.epoch();
      // A window's damage starts as the whole window.
      state->dirty = true;
    }
    TRY(painted(server));
    // Until it is subtracted, more damage in the same place is not reported. When it was reported before
    // the last answer, there may have been more since.
    if (std::exchange(state->dirty, false)) {
      if (state->count == state->told) ++state->count;
      xcb_damage_subtract(server.xcb(), state->damage, XCB_NONE, XCB_NONE);
      TRY(painted(server));
    }
    state->told = state->count;
    return state->told;
  });
}

Result<std::uint64_t> ChangeCounter::wait(std::uint64_t seen, Deadline deadline, std::stop_token stop) {
  EventWatch watch(*connection_);
  std::uint64_t now = TRY(count(deadline));
  TRY(watch.until(deadline, stop, [&]() -> Result<bool> {
    now = state_->count.load();
    return now > seen;
  }));
  return now;
}

}  // namespace handrail::x11

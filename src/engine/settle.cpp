// Waiting for what an act sets off: by damage and by what apps say, never by the clock alone.
#include <algorithm>
#include <thread>

#include "engine/call_context.h"
#include "engine/permit_mint.h"

namespace handrail::engine {
namespace {

// Nothing moved for so long: the target is still.
constexpr Millis kQuiet{100};
// A reaction that takes longer than this to begin is somebody else's.
constexpr Millis kFirstReaction{300};
constexpr Millis kMostSettling{3000};

}  // namespace

Result<actions::Settled> CallContext::settle() {
  // Beside a person who goes on, only what is acted on comes to rest.
  if (seat_) return StillWatch(computer_, session_.target()).settle(kRestAfterAct, options_.stop);
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  const TimePoint start = Clock::now();
  const Deadline end = Deadline::in(kMostSettling);
  actions::Settled settled;
  std::uint64_t seen = TRY(screen->change_count(end));
  // What changed between the act and now counts.
  if (screen_seen_ && *screen_seen_ != seen) settled.changed = true;
  TimePoint last = start;
  while (true) {
    const Millis patience = settled.changed ? kQuiet : kFirstReaction;
    const auto next = screen->wait_for_change(seen, end.within(patience), options_.stop);
    if (!next.ok()) {
      if (next.error().code != Code::timeout) return next.error();
      settled.still = !end.passed();
      break;
    }
    seen = *next;
    last = Clock::now();
    if (!settled.changed) settled.first_change_ms = millis_since(start);
    settled.changed = true;
  }
  screen_seen_ = seen;
  settled.settled_ms = std::chrono::duration<double, std::milli>(last - start).count();
  return settled;
}

void CallContext::watch_target() { watch_.emplace(computer_, session_.target()); }

Result<actions::Settled> CallContext::settled(Millis most) {
  if (!watch_) watch_target();
  Rest rest = kRestAfterAct;
  rest.most = std::min(rest.most, most);
  rest.first = std::min(rest.first, most);
  return watch_->settle(rest, options_.stop);
}

// Pictures of what is still cost this much more, and no more.
void CallContext::notice_motion() {
  constexpr Millis kGlance{8};
  Screen* screen = computer_.screen();
  if (screen == nullptr) return;
  const auto seen = screen->change_count(Deadline::in(kBackendPatience));
  moving_ = seen.ok() && screen->wait_for_change(*seen, Deadline::in(kGlance), options_.stop).ok();
}

Status CallContext::begin_watch(const Target& target) {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  screen_seen_ = TRY(screen->change_count(Deadline::in(kBackendPatience)));
  elements_seen_.reset();
  Accessibility* port = target.screen || target.pid == 0 ? nullptr : computer_.accessibility();
  if (port == nullptr) return {};
  const auto count = port->change_count({target.pid}, Deadline::in(kBackendPatience));
  if (count.ok()) elements_seen_ = *count;
  return {};
}

// Both sources at once: whichever speaks first ends the wait of the other.
Status CallContext::await_change(const Target& target, Deadline deadline) {
  Screen* screen = TRY(require(computer_.screen(), "screen"));
  Accessibility* port = target.screen || target.pid == 0 ? nullptr : computer_.accessibility();
  if (!screen_seen_) TRY(begin_watch(target));
  const std::vector<std::int64_t> pids{target.pid};
  std::stop_source enough;
  const std::stop_callback cancelled(options_.stop, [&enough] { enough.request_stop(); });
  std::jthread other;
  std::optional<std::uint64_t> told;
  if (port != nullptr && elements_seen_) {
    other = std::jthread([&, seen = *elements_seen_] {
      const auto now = port->wait_for_change(pids, seen, deadline, enough.get_token());
      if (now.ok()) told = *now;
      enough.request_stop();
    });
  }
  const auto now = screen->wait_for_change(*screen_seen_, deadline, enough.get_token());
  enough.request_stop();
  if (other.joinable()) other.join();
  if (now.ok()) screen_seen_ = *now;
  if (told) elements_seen_ = told;
  if (options_.stop.stop_requested()) return make_error(Code::cancelled, "The wait was cancelled.");
  if (!now.ok() && now.error().code == Code::backend_lost) return now.error();
  return {};
}

}  // namespace handrail::engine

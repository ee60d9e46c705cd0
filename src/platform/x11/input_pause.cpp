// Pauses of a plan. A held key is pressed again and again by the server itself, so who gets it is watched all the
// while.
#include <algorithm>
#include <iterator>

#include "platform/x11/input_run.h"

namespace handrail::x11 {

Status PlanRun::pause(Millis span) {
  const Deadline until(std::min(Clock::now() + span, context_.deadline.at()));
  EventWatch events(context_.connection);
  Status judged;
  std::optional<std::uint64_t> heard;
  const Status waited = events.until(until, context_.stop, [&]() -> Result<bool> {
    const std::uint64_t news = context_.hands.watch.news();
    if (!key_pressed_ || heard == news) return false;
    heard = news;
    judged = call_server(context_.deadline, [this](Server& server) { return judge_held(server); });
    return !judged.ok();
  });
  if (!judged.ok()) return judged;
  // A lost server too: what is held on it is gone, and the caller should know now.
  if (!waited.ok() && waited.error().code == Code::backend_lost) return waited;
  return go_on();
}

Status PlanRun::judge_held(Server& server) {
  std::vector<HeldInput::HeldKey> keys;
  std::ranges::copy_if(context_.hands.held.keys(), std::back_inserter(keys),
                       [this](const HeldInput::HeldKey& key) { return key.plan == context_.id; });
  if (std::ranges::none_of(keys, [this](const HeldInput::HeldKey& key) { return keys_.repeats(key); })) return {};
  Status judged = judge_and_watch(server, keys);
  if (!judged.ok()) {
    context_.hands.held.release_plan(server, context_.id);
    judged.error().message += " The keys that were held have been released.";
  }
  return judged;
}

// In one hold: between the look and the watch nothing can change unseen.
Status PlanRun::judge_and_watch(Server& server, const std::vector<HeldInput::HeldKey>& keys) {
  const ServerHold hold = TRY(keys_.hold(server));
  const Receiver receiver = TRY(keys_.judge_held(server, keys));
  const auto focus = TRY(server.reply(xcb_get_input_focus(server.xcb()), xcb_get_input_focus_reply, "GetInputFocus"));
  // Without a window of its own the focus is told of on the root.
  std::vector<xcb_window_t> windows{focus->focus > XCB_INPUT_FOCUS_POINTER_ROOT ? focus->focus : server.root()};
  const auto below = static_cast<xcb_window_t>(receiver.window);
  if (below != XCB_WINDOW_NONE && below != windows.front()) windows.push_back(below);
  context_.hands.watch.watch(server, std::move(windows));
  return {};
}

}  // namespace handrail::x11

// Pauses of a plan. A held key is pressed again and again by the server itself, so who gets it is watched all the
// while, and a person who takes the desktop is not kept waiting until it is let go.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <string_view>

#include "platform/x11/input_run.h"
#include "platform/x11/people.h"

namespace handrail::x11 {
namespace {

constexpr std::string_view kReleased = " The keys that were held have been released.";

// Ends a wait when a person does something, or the plan is to stop.
class Interruptions {
 public:
  Interruptions(People* people, const std::stop_token& stop) : people_(people), stopping_(stop, [this] { happen(); }) {
    if (people_ == nullptr) return;
    people_->on_touch([this] {
      ++touches_;
      happen();
    });
  }
  ~Interruptions() {
    if (people_ != nullptr) people_->on_touch(nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

  // For the next wait; what happened before this call is looked for behind it.
  std::stop_token next() {
    const std::lock_guard lock(mutex_);
    source_ = std::stop_source();
    return source_.get_token();
  }
  std::uint64_t touches() const { return touches_; }

 private:
  void happen() {
    std::stop_source now;
    {
      const std::lock_guard lock(mutex_);
      now = source_;
    }
    now.request_stop();
  }

  People* people_;
  std::mutex mutex_;
  std::stop_source source_;
  std::atomic<std::uint64_t> touches_ = 0;
  std::stop_callback<std::function<void()>> stopping_;
};

}  // namespace

Status PlanRun::pause(Millis span) {
  const Deadline until(std::min(Clock::now() + span, context_.deadline.at()));
  EventWatch events(context_.connection);
  People* const people = key_pressed_ ? context_.delivery.people() : nullptr;
  Interruptions interruptions(people, context_.stop);
  Status judged;
  std::optional<std::uint64_t> heard;
  std::optional<std::uint64_t> touches;  // that were judged; none yet: somebody may have come before the watch began
  Status waited;
  do {
    const std::stop_token interrupted = interruptions.next();
    if (context_.stop.stop_requested()) break;
    if (const std::uint64_t now = interruptions.touches(); people != nullptr && touches != now) {
      touches = now;
      if (const Status still = keys_.judge_again(); !still.ok()) return let_go(still.error());
    }
    waited = events.until(until, interrupted, [&]() -> Result<bool> {
      const std::uint64_t news = context_.hands.watch.news();
      if (!key_pressed_ || heard == news) return false;
      heard = news;
      judged = call_server(context_.deadline, [this](Server& server) { return judge_held(server); });
      return !judged.ok();
    });
  } while (!waited.ok() && waited.error().code == Code::cancelled);
  if (!judged.ok()) return judged;
  // A lost server too: what is held on it is gone, and the caller should know now.
  if (!waited.ok() && waited.error().code == Code::backend_lost) return waited;
  return go_on();
}

// What this plan holds, because of a refusal.
Error PlanRun::let_go(Error refusal) {
  const Status released = call_server(context_.deadline, [this](Server& server) -> Status {
    context_.hands.held.release_plan(server, context_.id);
    return server.fence();
  });
  if (released.ok()) refusal.message += kReleased;
  return refusal;
}

Status PlanRun::judge_held(Server& server) {
  std::vector<HeldInput::HeldKey> keys;
  std::ranges::copy_if(context_.hands.held.keys(), std::back_inserter(keys),
                       [this](const HeldInput::HeldKey& key) { return key.plan == context_.id; });
  if (std::ranges::none_of(keys, [this](const HeldInput::HeldKey& key) { return keys_.repeats(key); })) return {};
  Status judged = judge_and_watch(server, keys);
  if (!judged.ok()) {
    context_.hands.held.release_plan(server, context_.id);
    judged.error().message += kReleased;
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

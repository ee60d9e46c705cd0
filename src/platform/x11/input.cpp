#include "platform/x11/input.h"

#include "platform/x11/input_run.h"
#include "platform/x11/text_entry.h"

namespace handrail::x11 {
namespace {

// For letting go when the port itself goes away.
constexpr Millis kFarewell{500};

Result<std::vector<std::u32string>> texts_of(const InputPlan& plan) {
  std::vector<std::u32string> texts;
  for (const Step& step : plan.steps) {
    if (const auto* typed = std::get_if<TypeText>(&step)) texts.push_back(TRY(typable_text(typed->text)));
  }
  return texts;
}

}  // namespace

X11Input::X11Input(std::shared_ptr<Connection> connection, std::shared_ptr<InputDelivery> delivery)
    : connection_(std::move(connection)),
      delivery_(delivery ? std::move(delivery) : std::make_shared<InputDelivery>(connection_, InputDelivery::Parts{})),
      hands_(std::make_shared<Hands>()),
      fence_(connection_),
      layout_(connection_),
      sweeper_(connection_, [this](Server& server) { return remove_seat(server); }) {
  hands_->held.set_custody(delivery_->custody());
  hands_->keyboard.set_custody(delivery_->custody());
  // The listeners live as long as the connection, and custody with them.
  connection_->on_open([hands = hands_, custody = delivery_->shared_custody()](Server& server) -> Status {
    watch_keyboard_map(server);
    hands->watch.forget();
    hands->seat.recover(server);
    TRY(hands->held.recover(server));
    return hands->keyboard.recover(server);
  });
  connection_->on_event([hands = hands_](Server& server, const xcb_generic_event_t& event) {
    const bool new_map = tells_new_map(server, event);
    if (new_map) hands->keyboard.note_change();
    hands->watch.take(event, new_map);
  });
}

X11Input::~X11Input() { (void)release_all(Deadline::in(kFarewell)); }

Result<InputReport> X11Input::perform(const InputPlan& plan, Permit permit, Deadline deadline, std::stop_token stop) {
  // Refused before the first event, so that nothing is half typed.
  std::vector<std::u32string> texts = TRY(texts_of(plan));

  std::unique_lock lock(mutex_);
  if (!idle_.wait_until(lock, stop, deadline.at(), [this] { return !running_; })) {
    if (stop.stop_requested()) return make_error(Code::cancelled, "The action was cancelled before it began.");
    return make_error(Code::busy, "Another action is using the pointer and the keyboard.");
  }
  running_ = true;
  run_stop_ = std::stop_source();
  std::stop_source run_stop = run_stop_;
  const std::uint64_t id = ++plans_;
  lock.unlock();

  if (plan.seat) sweeper_.hold_off();
  Result<InputReport> result = [&] {
    const std::stop_callback forward(stop, [&run_stop] { run_stop.request_stop(); });
    PlanRun run({*connection_, *hands_, fence_, layout_, *delivery_, permit, id, deadline, run_stop.get_token()}, plan,
                std::move(texts));
    return run.execute();
  }();

  lock.lock();
  running_ = false;
  idle_.notify_all();
  return result;
}

Status X11Input::release_all(Deadline deadline) {
  {
    const std::lock_guard lock(mutex_);
    run_stop_.request_stop();
  }
  const auto let_go = [&]() -> Status {
    // A lost server holds nothing of ours; connecting again would let go by itself.
    if (!connection_->connected()) return {};
    TRY(leave_seat(deadline));
    const auto done = connection_->call<Unit>(deadline, [this](Server& server) -> Result<Unit> {
      const bool idle = [this] {
        const std::lock_guard lock(mutex_);
        return !running_;
      }();
      hands_->held.release_everything(server);
      if (idle && hands_->keyboard.lending()) hands_->keyboard.restore(server);
      TRY(server.fence());
      return Unit{};
    });
    return done.ok() ? Status() : Status(done.error());
  };
  // At once, and again when the plan that was running has ended and put the keyboard back.
  TRY(let_go());
  std::unique_lock lock(mutex_);
  const bool ended = idle_.wait_until(lock, deadline.at(), [this] { return !running_; });
  lock.unlock();
  if (!ended) return make_error(Code::timeout, "The running action did not end in time.");
  return let_go();
}

Status X11Input::leave_seat(Deadline deadline) {
  if (!connection_->connected()) return {};
  const auto app = connection_->call<std::optional<KeyTarget>>(
      deadline, [this](Server& server) -> Result<std::optional<KeyTarget>> { return leave_seat(server); });
  if (!app.ok()) return app.error();
  if (*app) sweeper_.sweep_behind(**app);
  return {};
}

std::optional<KeyTarget> X11Input::leave_seat(Server& server) {
  AgentSeat& seat = hands_->seat;
  delivery_->receipts().heed_all();
  if (!seat.there()) return {};
  if (seat.taken()) {
    const ActingAs agent(server, seat.pointer());
    if (agent.status().ok()) hands_->held.release_everything(server);
  }
  seat.rest(server);
  return AppFence::target_of(server, seat.last_window());
}

bool X11Input::remove_seat(Server& server) {
  if (!hands_->seat.remove(server)) return false;
  (void)hands_->held.announce_seat(false);
  return true;
}

std::vector<Button> X11Input::held_buttons() { return hands_->held.buttons(); }

std::vector<Key> X11Input::held_keys() { return hands_->held.keys_told(); }

}  // namespace handrail::x11

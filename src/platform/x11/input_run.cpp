#include "platform/x11/input_run.h"

#include <fmt/format.h>
#include <xcb/xtest.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include <algorithm>
#include <chrono>

#include "platform/x11/extensions.h"
#include "platform/x11/text_entry.h"

namespace handrail::x11 {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
// Clang 14 does not deduce it.
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

// What letting go may cost after the plan's own deadline.
constexpr Millis kCleanUp{500};
// For a window manager to pass on keys that it looks at first.
constexpr Millis kLateKeys{300};
// For an app that answers no pings to read a lent key.
constexpr Millis kSilentKey{80};

bool needs_waiting(const Step& step) {
  return std::holds_alternative<TypeText>(step) || std::holds_alternative<Pause>(step);
}

bool changes_locks(std::uint32_t keysym) {
  return keysym == XKB_KEY_Caps_Lock || keysym == XKB_KEY_Shift_Lock || keysym == XKB_KEY_Num_Lock ||
         keysym == XKB_KEY_Mode_switch || (keysym >= XKB_KEY_ISO_Lock && keysym <= XKB_KEY_ISO_Last_Group_Lock);
}

}  // namespace

PlanRun::PlanRun(Context context, const InputPlan& plan, std::vector<std::u32string> texts)
    : context_(std::move(context)),
      plan_(plan),
      texts_(std::move(texts)),
      keys_(context_.delivery, context_.permit, context_.hands.held, context_.hands.keyboard) {
  uses_keyboard_ = std::ranges::any_of(plan.steps, [](const Step& step) {
    return std::holds_alternative<KeyDown>(step) || std::holds_alternative<KeyUp>(step) ||
           std::holds_alternative<TypeText>(step);
  });
}

Result<InputReport> PlanRun::execute() {
  Status ran = run_steps();
  if (ran.ok() && !keys_.all_arrived()) {
    keys_.wait_for_late_ones(context_.deadline.within(kLateKeys));
    ran = call_server(context_.deadline, [&](Server& server) { return keys_.account(server); });
  }
  const bool understood = ran.ok() && map_stayed();
  const Status finished = finish(!ran.ok());
  if (ran.ok()) ran = finished;
  // Letting go of nothing has arrived nowhere.
  const bool sent = presses_sent_ > 0 || keys_.any_sent();
  report_.delivered = understood && sent && presses_arrived_ == presses_sent_ && keys_.all_arrived();
  if (ran.ok()) return report_;
  Error error = std::move(ran).error();
  error.side_effects = press_cancelled_ ? SideEffects::possible : touched_ ? SideEffects::partial : SideEffects::none;
  return error;
}

// Keys mean to an app what the map says when it reads them.
bool PlanRun::map_stayed() {
  if (!uses_keyboard_) return true;
  const Status same = call_server(context_.deadline, [&](Server& server) -> Status {
    TRY(server.fence());
    return context_.hands.keyboard.check_unchanged(server);
  });
  return same.ok();
}

Status PlanRun::run_steps() {
  while (report_.steps_done < plan_.steps.size()) {
    TRY(go_on());
    const Step& step = plan_.steps[report_.steps_done];
    if (std::holds_alternative<TypeText>(step)) {
      TRY(type(texts_[next_text_++]));
      ++report_.steps_done;
    } else if (const auto* wait = std::get_if<Pause>(&step)) {
      TRY(pause(wait->span));
      ++report_.steps_done;
    } else {
      TRY(run_group(report_.steps_done));
    }
  }
  return {};
}

Status PlanRun::go_on() const {
  if (context_.stop.stop_requested()) return make_error(Code::cancelled, "The action was cancelled.");
  if (context_.deadline.passed()) return make_error(Code::timeout, "The action did not end in time.");
  return {};
}

Status PlanRun::call_server(Deadline deadline, const std::function<Status(Server&)>& task) {
  // A long text has a long deadline; a server that does not answer is not given all of it.
  const Deadline patience = deadline.within(kBackendPatience);
  const auto done = context_.connection.call<Unit>(patience, [&](Server& server) -> Result<Unit> {
    if (!epoch_) {
      TRY(begin(server));
    } else if (*epoch_ != server.epoch()) {
      return make_error(Code::backend_lost, "The X server went away in the middle of the action.");
    }
    if (plan_.seat && seat_lost() && !closing_) return make_error(Code::cancelled, "The action was cancelled.");
    // Between the tasks of this plan others go on with the person's pointer.
    const ActingAs acting(server, plan_.seat ? context_.hands.seat.pointer() : std::uint16_t{0});
    if (!acting.status().ok()) {
      context_.hands.seat.forget();
      return acting.status().error();
    }
    TRY(task(server));
    return Unit{};
  });
  if (!done.ok()) return done.error();
  return {};
}

Status PlanRun::begin(Server& server) {
  epoch_ = server.epoch();
  if (!server.extensions().xtest.present()) {
    return make_error(Code::capability_unsupported, "The X server lacks the XTEST extension.")
        .with_hint("Start the X server with XTEST enabled, or use the embedded desktop.");
  }
  TRY(context_.delivery.start(server));
  context_.delivery.receipts().heed_all();
  if (plan_.seat) TRY(begin_seat(server));
  if (!uses_keyboard_) return {};
  const ActingAs acting(server, plan_.seat ? context_.hands.seat.pointer() : std::uint16_t{0});
  TRY(acting.status());
  return begin_keys(server);
}

// The app is told of the focus, so it is judged like a move of the pointer there.
Status PlanRun::begin_seat(Server& server) {
  Hands& hands = context_.hands;
  InputEvent event;
  event.kind = EventKind::move;
  event.receiver = TRY(context_.delivery.owners().of(server, static_cast<xcb_window_t>(plan_.seat->window)));
  TRY(context_.permit.judge(event));
  if (!hands.held.empty()) return make_error(Code::busy, "The person's pointer or keyboard holds something down.");
  if (TRY(context_.delivery.person_would_lose_keys(server))) {
    return make_error(Code::capability_unsupported,
                      "The person is in a browser or an app built on one, which hears one keyboard only.")
        .with_hint("Wait until they are elsewhere, or repeat it with `delivery` foreground.");
  }
  TRY(hands.held.announce_seat(true));
  Status taken = hands.seat.take(server, *plan_.seat);
  if (!taken.ok()) {
    (void)hands.held.announce_seat(hands.seat.there());
    return taken;
  }
  context_.delivery.receipts().heed({hands.seat.pointer(), hands.seat.keyboard()},
                                    client_of(server, hands.seat.window()));
  const auto is_move = [](const Step& step) { return std::holds_alternative<MoveTo>(step); };
  return std::ranges::count_if(plan_.steps, is_move) > 1 ? end_in_reach(server) : Status();
}

Status PlanRun::begin_keys(Server& server) {
  if (plan_.seat) TRY(keys_.use_own_keyboard(server));
  std::vector<std::uint32_t> keysyms;
  bool locks_change = false;
  for (const Step& step : plan_.steps) {
    const auto* down = std::get_if<KeyDown>(&step);
    if (down == nullptr) continue;
    if (std::ranges::find(keysyms, down->key.keysym) == keysyms.end()) keysyms.push_back(down->key.keysym);
    if (changes_locks(down->key.keysym)) locks_change = true;
  }
  // The agent's own keyboard has no locks, and the person's are theirs.
  const bool plain = !plan_.seat && (!locks_change || !texts_.empty());
  TRY(context_.hands.keyboard.open(server, plain ? Keyboard::Locks::plain : Keyboard::Locks::as_is));
  return context_.hands.keyboard.lend_keys(server, keysyms);
}

Status PlanRun::run_group(std::size_t first) {
  const Status sent = call_server(context_.deadline, [&](Server& server) -> Status {
    for (std::size_t i = first; i < plan_.steps.size() && !needs_waiting(plan_.steps[i]); ++i) {
      TRY(go_on());
      TRY(run_step(server, plan_.steps[i]));
      if (awaited_ || pressed_) return {};
      report_.steps_done = i + 1;
    }
    return server.fence();
  });
  if (!sent.ok() || !(awaited_ || pressed_)) return sent;
  TRY(awaited_ ? await_pointer() : await_receipt());
  ++report_.steps_done;
  return {};
}

Status PlanRun::run_step(Server& server, const Step& step) {
  return std::visit(Match{
                        [&](const MoveTo& s) { return move(server, s.at); },
                        [&](const ButtonDown& s) { return press(server, s.button); },
                        [&](const ButtonUp& s) { return release(server, s.button); },
                        [&](const Wheel& s) { return wheel(server, s); },
                        [&](const KeyDown& s) { return key_down(server, s.key); },
                        [&](const KeyUp& s) { return key_up(server, s.key); },
                        [](const TypeText&) -> Status { return {}; },
                        [](const Pause&) -> Status { return {}; },
                    },
                    step);
}

Status PlanRun::key_down(Server& server, Key key) {
  HeldInput& held = context_.hands.held;
  std::vector<xcb_keycode_t> down;
  for (const HeldInput::HeldKey& other : held.keys()) {
    down.insert(down.end(), other.keycodes.begin(), other.keycodes.end());
  }
  const auto press = context_.hands.keyboard.find(key, down);
  if (!press) return make_error(Code::capability_unsupported, fmt::format("No key makes {}.", name(key)));
  const bool is_down = std::ranges::find(held.keys(), key, &HeldInput::HeldKey::key) != held.keys().end();
  if (is_down) return {};
  {
    const ServerHold hold = TRY(keys_.hold(server));
    TRY(keys_.judge_key(server, press->keycodes));
    TRY(held.press(server, {key, press->keycodes, press->lent, context_.id}));
    touched_ = true;
    key_pressed_ = true;
    key_lent_ = key_lent_ || press->lent;
    keys_.sent(server, press->keycodes.size());
  }
  return keys_.account(server);
}

Status PlanRun::key_up(Server& server, Key key) {
  touched_ = true;
  if (context_.hands.held.release(server, key)) return {};
  // Not ours, but asked for: a crashed process may have left it down.
  const auto press = context_.hands.keyboard.find(key, {});
  if (press) fake_key(server, press->keycodes.back(), false);
  return {};
}

Status PlanRun::type(const std::u32string& text) {
  const auto call = [this](const std::function<Status(Server&)>& task) {
    // Also the last call, which gives lent keys back, must get through when time is up.
    const Deadline deadline = context_.deadline.passed() ? Deadline::in(kCleanUp) : context_.deadline;
    return call_server(deadline, task);
  };
  TextEntry entry(call, context_.fence, context_.hands.keyboard, keys_, context_.deadline, context_.stop);
  const Status typed = entry.type(text);
  touched_ = touched_ || entry.sent_any();
  report_.text_acknowledged = entry.acknowledged();
  return typed;
}

Status PlanRun::finish(bool failed) {
  if (!epoch_) return {};
  closing_ = true;
  if (plan_.seat) {
    (void)call_server(Deadline::in(kCleanUp), [&](Server& server) -> Status {
      if (context_.hands.held.buttons().empty()) context_.hands.seat.disarm(server);
      return {};
    });
  }
  const Deadline deadline =
      failed ? Deadline::in(kCleanUp) : Deadline(std::max(context_.deadline.at(), Clock::now() + kCleanUp));
  if (!failed && !uses_keyboard_) return {};
  KeyTarget target;
  bool give_back = false;
  const Status let_go = call_server(deadline, [&](Server& server) -> Status {
    // A press of which nobody has told who got it is not completed where it is.
    if (failed && pressed_ && !seat_lost()) (void)cancel_press(server, Receiver{}, make_error(Code::cancelled, ""));
    // Half a drag is dropped where it came from.
    const bool half = failed && plan_.seat && !seat_lost() && !context_.hands.held.buttons().empty();
    if (half) fake_motion(server, context_.hands.origin);
    if (failed) context_.hands.held.release_plan(server, context_.id);
    context_.hands.watch.end(server);
    context_.hands.keyboard.close(server);
    give_back = context_.hands.keyboard.lending() && !context_.hands.held.holds_lent_key();
    if (give_back && key_lent_) {
      if (const auto focused = AppFence::target(server); focused.ok()) target = *focused;
    }
    return server.fence();
  });
  TRY(let_go);
  if (!give_back) return {};
  if (target.answers_ping) {
    (void)context_.fence.wait(target, deadline, {});
  } else if (key_lent_) {
    sleep_until(Clock::now() + kSilentKey, {});
  }
  return call_server(deadline, [&](Server& server) -> Status {
    context_.hands.keyboard.restore(server);
    return server.fence();
  });
}

}  // namespace handrail::x11

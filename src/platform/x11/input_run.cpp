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
constexpr Millis kPointerPatience{400};
constexpr Millis kSendAgain{100};
constexpr std::chrono::microseconds kFirstLook{100};
constexpr std::chrono::microseconds kLastLook{3200};
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
    : context_(std::move(context)), plan_(plan), texts_(std::move(texts)) {
  uses_keyboard_ = std::ranges::any_of(plan.steps, [](const Step& step) {
    return std::holds_alternative<KeyDown>(step) || std::holds_alternative<KeyUp>(step) ||
           std::holds_alternative<TypeText>(step);
  });
}

Result<InputReport> PlanRun::execute() {
  Status ran = run_steps();
  const Status finished = finish(!ran.ok());
  if (ran.ok()) ran = finished;
  if (ran.ok()) return report_;
  Error error = std::move(ran).error();
  error.side_effects = touched_ ? SideEffects::partial : SideEffects::none;
  return error;
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
  if (uses_keyboard_) TRY(begin_keys(server));
  return {};
}

Status PlanRun::begin_keys(Server& server) {
  std::vector<std::uint32_t> keysyms;
  bool locks_change = false;
  for (const Step& step : plan_.steps) {
    const auto* down = std::get_if<KeyDown>(&step);
    if (down == nullptr) continue;
    if (std::ranges::find(keysyms, down->key.keysym) == keysyms.end()) keysyms.push_back(down->key.keysym);
    if (changes_locks(down->key.keysym)) locks_change = true;
  }
  const bool plain = !locks_change || !texts_.empty();
  TRY(context_.hands.keyboard.open(server, plain ? Keyboard::Locks::plain : Keyboard::Locks::as_is));
  return context_.hands.keyboard.lend_keys(server, keysyms);
}

Status PlanRun::run_group(std::size_t first) {
  const Status sent = call_server(context_.deadline, [&](Server& server) -> Status {
    for (std::size_t i = first; i < plan_.steps.size() && !needs_waiting(plan_.steps[i]); ++i) {
      TRY(go_on());
      TRY(run_step(server, plan_.steps[i]));
      if (awaited_) return {};
      report_.steps_done = i + 1;
    }
    return server.fence();
  });
  if (!sent.ok() || !awaited_) return sent;
  TRY(await_pointer());
  ++report_.steps_done;
  return {};
}

Status PlanRun::run_step(Server& server, const Step& step) {
  HeldInput& held = context_.hands.held;
  return std::visit(Match{
                        [&](const MoveTo& s) { return move(server, s.at); },
                        [&](const ButtonDown& s) -> Status {
                          touched_ = true;
                          held.press(server, s.button, context_.id);
                          return {};
                        },
                        [&](const ButtonUp& s) -> Status {
                          touched_ = true;
                          // Not ours, but asked for: a crashed process may have left it down.
                          if (!held.release(server, s.button)) fake_button(server, button_number(s.button), false);
                          return {};
                        },
                        [&](const Wheel& s) { return wheel(server, s); },
                        [&](const KeyDown& s) { return key_down(server, s.key); },
                        [&](const KeyUp& s) { return key_up(server, s.key); },
                        [](const TypeText&) -> Status { return {}; },
                        [](const Pause&) -> Status { return {}; },
                    },
                    step);
}

// XTEST presses carry no place: the server takes them to where the pointer is. Seeing the pointer
// arrive is what makes the next press land on the point.
Status PlanRun::move(Server& server, Point at) {
  const auto displays = TRY(context_.layout.displays(server));
  const Display* display = display_at(displays, at);
  if (display == nullptr) {
    return make_error(Code::argument_invalid, fmt::format("The point {:g},{:g} is on no display.", at.x, at.y))
        .with_field("coordinate", "a point inside the last screenshot");
  }
  awaited_ = to_pixel(*display, at);
  return look_for_pointer(server, true);
}

Status PlanRun::look_for_pointer(Server& server, bool send) {
  const PixelPoint to = *awaited_;
  if (send) {
    touched_ = true;
    xcb_test_fake_input(server.xcb(), XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, server.root(),
                        static_cast<std::int16_t>(to.x), static_cast<std::int16_t>(to.y), 0);
  }
  const auto pointer =
      TRY(server.reply(xcb_query_pointer(server.xcb(), server.root()), xcb_query_pointer_reply, "QueryPointer"));
  if (pointer->root_x == to.x && pointer->root_y == to.y) awaited_.reset();
  return {};
}

// A window manager that looks at a press before the app does (Openbox, xfwm4) holds the pointer still
// until it has let the press through, and no event tells when: the one thing left is to look again.
Status PlanRun::await_pointer() {
  const TimePoint given_up = Clock::now() + kPointerPatience;
  TimePoint sent = Clock::now();
  auto between = kFirstLook;
  while (awaited_) {
    if (Clock::now() >= given_up) {
      return make_error(Code::backend_error, fmt::format("The pointer does not go to {},{}.", awaited_->x, awaited_->y))
          .with_hint("Another program holds the pointer or a person moves it; look, then try again.");
    }
    sleep_until(std::min(Clock::now() + between, context_.deadline.at()), context_.stop);
    TRY(go_on());
    // A person's hand on the mouse may have pulled it away; then it is sent again.
    const bool again = Clock::now() - sent > kSendAgain;
    if (again) sent = Clock::now();
    TRY(call_server(context_.deadline, [&](Server& server) { return look_for_pointer(server, again); }));
    between = std::min(between * 2, kLastLook);
  }
  return {};
}

Status PlanRun::wheel(Server& server, const Wheel& wheel) {
  const auto ticks = [&](int count, std::uint8_t backward, std::uint8_t forward) -> Status {
    for (int i = 0; i < std::abs(count); ++i) {
      TRY(go_on());
      touched_ = true;
      fake_button(server, count < 0 ? backward : forward, true);
      fake_button(server, count < 0 ? backward : forward, false);
    }
    return {};
  };
  TRY(ticks(wheel.down, 4, 5));
  return ticks(wheel.right, 6, 7);
}

Status PlanRun::key_down(Server& server, Key key) {
  HeldInput& held = context_.hands.held;
  std::vector<xcb_keycode_t> down;
  for (const HeldInput::HeldKey& other : held.keys()) {
    down.insert(down.end(), other.keycodes.begin(), other.keycodes.end());
  }
  const auto press = context_.hands.keyboard.find(key, down);
  if (!press) return make_error(Code::capability_unsupported, fmt::format("No key makes {}.", name(key)));
  touched_ = true;
  key_lent_ = key_lent_ || press->lent;
  held.press(server, {key, press->keycodes, press->lent, context_.id});
  return {};
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
  TextEntry entry(call, context_.fence, context_.hands.keyboard, context_.deadline, context_.stop);
  const Status typed = entry.type(text);
  touched_ = touched_ || entry.sent_any();
  report_.text_acknowledged = entry.acknowledged();
  return typed;
}

Status PlanRun::pause(Millis span) {
  const Deadline until(std::min(Clock::now() + span, context_.deadline.at()));
  // Wakes for a lost server too: what is held on it is gone, and the caller should know now.
  const Status waited =
      EventWatch(context_.connection).until(until, context_.stop, []() -> Result<bool> { return false; });
  if (!waited.ok() && waited.error().code == Code::backend_lost) return waited;
  return go_on();
}

Status PlanRun::finish(bool failed) {
  if (!epoch_) return {};
  const Deadline deadline =
      failed ? Deadline::in(kCleanUp) : Deadline(std::max(context_.deadline.at(), Clock::now() + kCleanUp));
  if (!failed && !uses_keyboard_) return {};
  KeyTarget target;
  bool give_back = false;
  const Status let_go = call_server(deadline, [&](Server& server) -> Status {
    if (failed) context_.hands.held.release_plan(server, context_.id);
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

// The pointer steps of a plan: moves that are seen to arrive, presses and wheel ticks that are judged where they land.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "platform/x11/input_run.h"

namespace handrail::x11 {
namespace {

constexpr Millis kPointerPatience{400};
constexpr Millis kSendAgain{100};
constexpr std::chrono::microseconds kFirstLook{100};
constexpr std::chrono::microseconds kLastLook{3200};
// Wheel ticks in one hold of the server.
constexpr int kTicks = 8;

}  // namespace

// XTEST presses carry no place: the server takes them to where the pointer is. Seeing the pointer
// arrive is what makes the next press land on the point.
Status PlanRun::move(Server& server, Point at) {
  const auto displays = TRY(context_.layout.displays(server));
  const Display* display = display_at(displays, at);
  if (display == nullptr) {
    return make_error(Code::argument_invalid, fmt::format("The point {:g},{:g} is on no display.", at.x, at.y))
        .with_field("coordinate", "a point inside the last screenshot");
  }
  const PixelPoint to = to_pixel(*display, at);
  Hands& hands = context_.hands;
  if (plan_.seat) {
    hands.seat.arm(server);
    TRY(hands.seat.uncover(server, to));
  }
  InputEvent event;
  event.kind = EventKind::move;
  event.receiver = TRY(context_.delivery.owners().at(server, to));
  event.at = at;
  const auto held = hands.held.buttons();
  if (!held.empty()) event.button = held.front();
  event.dragging = !held.empty();
  TRY(context_.permit.judge(event));
  if (plan_.seat) TRY(must_reach(server, event.receiver, at));
  if (!held.empty()) hands.dragging = true;
  awaited_ = to;
  pointer_ = to;
  return look_for_pointer(server, true);
}

Status PlanRun::must_reach(Server& server, const Receiver& receiver, Point at) const {
  const xcb_window_t window = context_.hands.seat.window();
  if (client_of(server, static_cast<xcb_window_t>(receiver.window)) == client_of(server, window)) return {};
  return make_error(Code::capability_unsupported, fmt::format("The app is not in reach at {:g},{:g}.", at.x, at.y))
      .with_hint(
          "It is outside of the app's own windows, or the window is minimised or off the screen; repeat it with "
          "`delivery` foreground.");
}

// Where it ends is looked at before a drag begins: half of one may be a drop where nobody wanted it.
Status PlanRun::end_in_reach(Server& server) {
  const MoveTo* last = nullptr;
  for (const Step& step : plan_.steps) {
    if (const auto* move = std::get_if<MoveTo>(&step)) last = move;
  }
  if (last == nullptr) return {};
  const auto displays = TRY(context_.layout.displays(server));
  const Display* display = display_at(displays, last->at);
  if (display == nullptr) return {};
  const PixelPoint pixel = to_pixel(*display, last->at);
  TRY(context_.hands.seat.uncover(server, pixel));
  const Receiver there = TRY(context_.delivery.owners().at(server, pixel));
  return must_reach(server, there, last->at);
}

Status PlanRun::look_for_pointer(Server& server, bool send) {
  const PixelPoint to = *awaited_;
  if (send) {
    touched_ = true;
    fake_motion(server, to);
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

// Who is where the plan has put the pointer is asked along with where it is.
Result<PlanRun::Place> PlanRun::look_under_pointer(Server& server) {
  auto pending = server.pend(xcb_query_pointer(server.xcb(), server.root()), xcb_query_pointer_reply, "QueryPointer");
  WindowOwners& owners = context_.delivery.owners();
  std::optional<Receiver> expected;
  if (pointer_) expected = TRY(owners.at(server, *pointer_));
  const auto pointer = TRY(pending.get());
  Place place;
  place.pixel = {pointer->root_x, pointer->root_y};
  place.receiver = expected && place.pixel == *pointer_ ? std::move(*expected) : TRY(owners.at(server, place.pixel));
  const auto displays = TRY(context_.layout.displays(server));
  place.point = to_point(display_of(displays, place.pixel), place.pixel);
  return place;
}

Result<PlanRun::Place> PlanRun::place(Server& server) {
  Place place = TRY(look_under_pointer(server));
  if (!pointer_ || place.pixel == *pointer_) return place;
  return make_error(Code::target_stale, "The pointer was moved away by someone else.")
      .with_hint("A person may be using the mouse; look, then try again.");
}

// In two halves: the press is judged by who stands there while nobody can move, and then by who really got it, as
// a window manager may pass it on to a window that came since. Only then the release follows.
Status PlanRun::press(Server& server, Button button) {
  HeldInput& held = context_.hands.held;
  if (held.holds(button)) return {};
  Receipts& receipts = context_.delivery.receipts();
  std::uint64_t mark = 0;
  {
    const auto [hold, here] = TRY(context_.delivery.hold_and<Place>(server, [&] { return place(server); }));
    Pressed pressed{button, here.pixel, {}, server.deadline().within(kBackendPatience)};
    pressed.event.kind = EventKind::press;
    pressed.event.receiver = here.receiver;
    pressed.event.at = here.point;
    pressed.event.button = button;
    TRY(context_.permit.judge(pressed.event));
    receipts.begin(server);
    TRY(held.press(server, button, context_.id));
    touched_ = true;
    ++presses_sent_;
    context_.hands.origin = here.pixel;
    context_.hands.dragging = false;
    pressed_ = std::move(pressed);
    mark = receipts.mark(server);
  }
  const bool told = receipts.wait_for_mark(mark, pressed_->told_by);
  return look_for_receipt(server, !told);
}

Status PlanRun::release(Server& server, Button button) {
  Hands& hands = context_.hands;
  auto [hold, here] = TRY(context_.delivery.hold_and<Place>(server, [&] { return look_under_pointer(server); }));
  InputEvent event;
  event.kind = EventKind::release;
  event.receiver = std::move(here.receiver);
  event.at = here.point;
  event.button = button;
  event.dragging = hands.dragging;
  const Status judged = context_.permit.judge(event);
  touched_ = true;
  if (!judged.ok()) {
    // What was dragged goes back to where it came from, which was allowed.
    if (hands.held.holds(button)) {
      fake_motion(server, hands.origin);
      hands.held.release(server, button);
    }
    return judged;
  }
  // Not ours, but asked for: a crashed process may have left it down.
  if (!hands.held.release(server, button)) fake_button(server, button_number(button), false);
  hands.dragging = false;
  return {};
}

Status PlanRun::wheel(Server& server, const Wheel& wheel) {
  const auto ticks = [&](int count, std::uint8_t backward, std::uint8_t forward) -> Status {
    for (int left = std::abs(count); left > 0; left -= kTicks) {
      TRY(go_on());
      TRY(turn(server, count < 0 ? backward : forward, std::min(left, kTicks)));
    }
    return {};
  };
  TRY(ticks(wheel.down, 4, 5));
  return ticks(wheel.right, 6, 7);
}

Status PlanRun::turn(Server& server, std::uint8_t button, int ticks) {
  Receipts& receipts = context_.delivery.receipts();
  InputEvent event;
  std::uint64_t mark = 0;
  {
    const auto [hold, here] = TRY(context_.delivery.hold_and<Place>(server, [&] { return place(server); }));
    event.kind = EventKind::wheel;
    event.receiver = here.receiver;
    event.at = here.point;
    TRY(context_.permit.judge(event));
    receipts.begin(server);
    touched_ = true;
    for (int i = 0; i < ticks; ++i) {
      fake_button(server, button, true);
      fake_button(server, button, false);
    }
    presses_sent_ += static_cast<std::size_t>(ticks);
    mark = receipts.mark(server);
  }
  (void)receipts.wait_for_mark(mark, server.deadline().within(kBackendPatience));
  // A window manager may hold them back for a moment; then they are not known to have arrived.
  for (const Receipt& receipt : receipts.seen()) {
    if (receipt.key || receipt.detail != button) continue;
    if (TRY(context_.delivery.owners().is_window_manager(server, receipt.client))) continue;
    ++presses_arrived_;
    if (receipt.client == client_of(server, static_cast<xcb_window_t>(event.receiver.window))) continue;
    InputEvent got = event;
    got.kind = EventKind::received;
    got.receiver = TRY(context_.delivery.owners().client(server, receipt.client, receipt.window));
    TRY(context_.permit.judge(got));
  }
  return {};
}

}  // namespace handrail::x11
